/* SPDX-License-Identifier: Apache-2.0
 *
 * poslab/plugin.h: the boundary between poslab and a plugin. Plain C11, also valid C++20; this page is its manual.
 *
 * A plugin is a shared library that exports ONE constant, `poslab_plugin_v1`, of type `poslab_plugin`. Its first three
 * members can be read before any code of the plugin runs. Authors in C++ never write any of this: <poslab/scheme.hpp>
 * makes it from a plain struct and one macro line. Authors in C, Rust or Fortran fill the tables themselves.
 *
 * Growth. Structs are only appended to, and every struct that may grow begins with `size`, filled by whoever made it:
 * a reader uses only members that lie within `size`, and treats the rest as zero. Arrays of structs that may grow are
 * reached through arrays of pointers. POSLAB_MINOR rises with each append; a host refuses a plugin with a newer minor.
 *
 * Threads. Instances are immutable. Every operation takes `const void *self` and may be called from many threads at
 * once; the same call gives the same bits. `create` and `destroy` are called from one thread at a time per instance.
 *
 * Memory. All arrays are dense, row-major, 64-byte aligned and owned by the host; they live until the call returns.
 * A plugin owns only its instances. An input and an output never overlap, except `transform`'s `output`, changed in place.
 * Empty arrays (a shape with a 0) are legal: the operation then does nothing and returns POSLAB_OK.
 *
 * Errors. Functions return POSLAB_OK or another code of `poslab_status` and then fill the caller's `poslab_error`.
 * Nothing throws across the boundary, nothing prints, nothing changes the floating-point mode.
 *
 * Limits. What a plugin declares is read by people, sent between processes and stored with every result, so each text and
 * number of declared things has a limit, below. A host reads no further and refuses a declaration beyond one. Texts are
 * UTF-8 without control characters, line breaks and overrides of direction.
 *
 * Dimension letters: N positions, Nq query positions, Nk key positions, A axes of a position, D model width, H heads,
 * K = D / H head width.
 */
#ifndef POSLAB_PLUGIN_H
#define POSLAB_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POSLAB_MAJOR 1
#define POSLAB_MINOR 2 /* 1: the sides VALUE and OUTPUT of `transform`; 2: embedding_scale, initial_query_scale */
#define POSLAB_SYMBOL_NAME "poslab_plugin_v1"

/* Limits of what a plugin may declare. */
#define POSLAB_LONGEST_NAME 200      /* bytes: id, version; names, units and choices of parameters; names of weights */
#define POSLAB_LONGEST_SENTENCE 4096 /* bytes: title, paper, summary, formula, used_in, sentences */
#define POSLAB_MOST_PARAMETERS 200
#define POSLAB_MOST_CHOICES 200      /* of one parameter */
#define POSLAB_MOST_LISTED 10000     /* numbers of a default list */
#define POSLAB_MOST_WEIGHTS 1000
#define POSLAB_MOST_NUMBERS (INT64_C(1) << 40) /* of one weight */
#define POSLAB_MOST_FREQUENCIES (INT64_C(1) << 20)
#define POSLAB_MOST_AXES 64          /* of a position */

#if defined(__GNUC__)
#define POSLAB_EXPORT __attribute__((visibility("default")))
#else
#define POSLAB_EXPORT
#endif

/* ---------------------------------------------------------------------------------------------- results and errors */

enum poslab_status {
  POSLAB_OK = 0,
  POSLAB_REFUSED = 1,      /* a configuration that the scheme cannot serve: the text says which and why */
  POSLAB_OUT_OF_RANGE = 2, /* a position that the scheme cannot serve: the text names it and the limit */
  POSLAB_FAILED = 3,       /* anything else */
  POSLAB_OUT_OF_MEMORY = 4 /* the host tries once more with nothing else beside it */
};

/* Caller-owned. `text` is UTF-8, ends with 0, and is cut at its end when too long. */
typedef struct poslab_error {
  int32_t code;
  char text[1020];
} poslab_error;

/* ----------------------------------------------------------------------------------------------------------- arrays */

enum poslab_scalar { POSLAB_F32 = 1, POSLAB_F64 = 2 };

/* A dense row-major array. Never grows: it may be indexed. */
typedef struct poslab_view {
  void *data;        /* `float *` or `double *`, as `scalar` says; inputs must not be written */
  int32_t scalar;    /* enum poslab_scalar */
  int32_t rank;      /* 0 to 4 */
  int64_t shape[4];  /* `rank` extents; the others are 1 */
} poslab_view;

/* ------------------------------------------------------------------------------------------------------- parameters */

enum poslab_kind { POSLAB_REAL = 1, POSLAB_INTEGER = 2, POSLAB_CHOICE = 3, POSLAB_FLAG = 4, POSLAB_LIST = 5 };

/* Declared data: the host validates values against it before `create`, and derives help, sweeps and coordinates. */
typedef struct poslab_parameter {
  uint32_t size;
  int32_t kind;             /* enum poslab_kind */
  const char *name;         /* lower_case, a letter first */
  const char *unit;         /* "1" where it has none */
  const char *sentence;     /* what it means, in one sentence */
  double lowest, highest;   /* REAL, INTEGER, and each element of LIST: the closed range; infinities where open */
  int32_t above_lowest;     /* 1: `lowest` itself is not allowed */
  int32_t below_highest;    /* 1: `highest` itself is not allowed */
  int32_t may_be_unset;     /* 1: "unset" is a legal value, and the default where `default_number` is nan, `default_choice`
                               is negative or `default_list` is null */
  int32_t default_choice;   /* CHOICE: index into `choices`; FLAG: 0 or 1 */
  double default_number;    /* REAL, INTEGER */
  const char *const *choices; /* CHOICE: the names */
  int64_t choice_count;
  const double *default_list; /* LIST */
  int64_t default_list_count;
} poslab_parameter;

/* The value of one parameter, in the order of the declared table. Never grows: it may be indexed. */
typedef struct poslab_value {
  int32_t is_set;       /* 0: unset */
  int32_t choice;       /* CHOICE: index; FLAG: 0 or 1 */
  int64_t integer;      /* INTEGER */
  double real;          /* REAL */
  const double *list;   /* LIST */
  int64_t list_count;
} poslab_value;

/* What a scheme is attached to. */
typedef struct poslab_model {
  uint32_t size;
  int32_t reserved;
  int64_t model_width;  /* D */
  int64_t heads;        /* H */
  int64_t head_width;   /* K = D / H */
  int64_t train_length; /* the length that the model was, or would be, trained at */
} poslab_model;

/* ----------------------------------------------------------------------------------------------------------- claims */

/* Properties that a variant declares of itself. `poslab check` tries to refute each one. */
enum poslab_claim {
  POSLAB_ISOMETRY = 1 << 0,      /* transform keeps every norm and every inner product at one position */
  POSLAB_RELATIVE = 1 << 1,      /* its part in the logits, and what is read of a value, depend on positions
                                  through query - key only */
  POSLAB_CONTENT_FREE = 1 << 2,  /* its part does not depend on x, q or k (transform: the matrix does not) */
  POSLAB_LENGTH_FREE = 1 << 3,   /* nothing depends on context length or train_length */
  POSLAB_BOUNDED = 1 << 4,       /* no output grows without limit as positions grow */
  POSLAB_SYMMETRIC = 1 << 5,     /* its part in the logits is the same for query - key and key - query */
  POSLAB_CONSTANT_NORM = 1 << 6, /* encode gives every position the same norm */
  POSLAB_MAY_BE_INFINITE = 1 << 7 /* outputs may hold -infinity (a mask); without this, they are finite */
};

/* Under which attention mask a variant means something. */
enum poslab_mask { POSLAB_ANY_MASK = 0, POSLAB_CAUSAL_ONLY = 1, POSLAB_BIDIRECTIONAL_ONLY = 2 };

/* ---------------------------------------------------------------------------------------------------------- weights */

enum poslab_initialisation {
  POSLAB_CONSTANT = 1, /* every entry `first` */
  POSLAB_NORMAL = 2,   /* independent, mean `first`, standard deviation `second` */
  POSLAB_UNIFORM = 3   /* independent, from [first, second) */
};

/* A learnable array. The host owns it, draws it, passes it into every call, and holds its gradient. */
typedef struct poslab_weight {
  uint32_t size;
  int32_t rank;
  const char *name;
  int64_t shape[4];
  int32_t per_layer;       /* 1: every layer has its own; 0: one for all layers */
  int32_t initialisation;  /* enum poslab_initialisation */
  double first, second;
  const char *sentence;
  int32_t frozen;          /* 1: drawn like the others, but training leaves it as it was drawn */
} poslab_weight;

/* --------------------------------------------------------------------------------------------------------- the call */

/* What `transform` is given: queries or keys of all heads before their products; values at the keys' positions, before
 * they are mixed; outputs, the mixed values at the queries' positions, after `mix`, in tiles of any number of queries. */
enum poslab_side { POSLAB_QUERY = 0, POSLAB_KEY = 1, POSLAB_VALUE = 2, POSLAB_OUTPUT = 3 };

/* Every view that an operation may need, in one struct that can grow. Members that an operation does not use are null.
 * All views but positions have the scalar type `scalar`; positions are always f64, so that integers are exact and
 * positions between them possible.
 *
 * For gradients: `output_gradient` is the gradient of a scalar loss by the operation's output, an input; the others
 * are where the gradient of the loss by that array is ADDED. A null one is not wanted. */
typedef struct poslab_call {
  uint32_t size;
  int32_t scalar;                 /* enum poslab_scalar */
  int32_t side;                   /* enum poslab_side: `transform` */
  int32_t causal;                 /* context: 1 if the mask, applied later, hides keys with a greater index */
  int64_t length;                 /* context: how many positions the sequence has */
  int64_t train_length;           /* context */
  double scale;                   /* `score`: the factor on q.k that is in the logits already */
  int64_t first_query;            /* `bias`, `score`, `mix`: index of the tile's first query among the keys */
  int64_t layer;                  /* which layer asks, from 0; `encode` happens once, at 0 */
  const poslab_view *positions;       /* [N, A] `encode`, `transform` */
  const poslab_view *query_positions; /* [Nq, A] `bias`, `score`, `mix`: a tile of queries */
  const poslab_view *key_positions;   /* [Nk, A] */
  const poslab_view *const *weights;  /* in declared order, of the layer that asks */
  int64_t weight_count;
  const poslab_view *layer_input;     /* [Nk, D] `score`: what the layer's projections saw */
  const poslab_view *query;           /* [H, Nq, K] `score` */
  const poslab_view *key;             /* [H, Nk, K] `score` */
  const poslab_view *attention;       /* [H, Nq, Nk] `mix`: after the softmax */
  const poslab_view *output;          /* see each operation */
  const poslab_view *output_gradient;
  const poslab_view *layer_input_gradient;
  const poslab_view *query_gradient;
  const poslab_view *key_gradient;
  const poslab_view *attention_gradient;
  const poslab_view *const *weight_gradients; /* `weight_count` of them; an entry may be null */
  const poslab_view *value;           /* [H, N, K] gradient of `transform`: see poslab_operation_pair */
  const poslab_view *mixed;           /* [H, N, K] the same */
} poslab_call;

typedef int32_t (*poslab_operation)(const void *self, const poslab_call *call, poslab_error *error);

/* One operation and its vector-Jacobian product. Never grows: it may be indexed.
 * `gradient` of `transform`: `output` arrives as the gradient by the transformed x and becomes that by x in place
 * (`output_gradient` is null); where `weight_gradients` are wanted, x before it is in `query`, `key`, `value` or `mixed`,
 * as `side` says. */
typedef struct poslab_operation_pair {
  poslab_operation forward;
  poslab_operation gradient;
} poslab_operation_pair;

enum poslab_operation_index {
  /* output [N, D]: OVERWRITTEN with what is added to the token embedding. */
  POSLAB_ENCODE = 0,
  /* output [H, N, K]: queries, keys, values or outputs of all heads, transformed IN PLACE, linear in x. Asked for the
   * sides that the instance names. */
  POSLAB_TRANSFORM = 1,
  /* output [H, Nq, Nk]: OVERWRITTEN with what is added to the scaled logits. */
  POSLAB_BIAS = 2,
  /* output [H, Nq, Nk]: logits, IN AND OUT. They arrive finite, as scale * q.k (transformed) + bias; the mask comes
   * after. The scheme ADDS to them, or writes them anew if its instance says `score_writes_logits`.
   * gradient: adds to layer_input_gradient, query_gradient, key_gradient, weight_gradients. A scheme that adds does
   * nothing for the incoming logits (the host passes their gradient on); one that writes anew gives q's and k's in full. */
  POSLAB_SCORE = 3,
  /* output [H, Nq, K]: the weighted values; the scheme ADDS to them. */
  POSLAB_MIX = 4,
  POSLAB_OPERATION_COUNT = 5
};

/* --------------------------------------------------------------------------------------------------------- instance */

/* What `create` tells of the variant that it made. Filled by the plugin; all pointers stay valid until `destroy`. */
typedef struct poslab_instance {
  uint32_t size;             /* in: what the host reserved; the plugin writes only what fits */
  uint32_t operations;       /* bit POSLAB_ENCODE.. set where this variant offers that operation */
  void *self;
  uint64_t claims;           /* enum poslab_claim */
  int32_t mask;              /* enum poslab_mask */
  int32_t score_writes_logits;
  double logit_scale;        /* 0: the usual 1 / sqrt(K) */
  double lowest_position;    /* positions below are refused; -infinity: none */
  double highest_position;   /* positions above are refused; +infinity: none */
  double unique_up_to;       /* positions 0 .. n-1 claim different signatures; 0: no claim, infinity: all integers */
  const poslab_weight *const *weights;
  int64_t weight_count;
  const double *inverse_frequency; /* radians per position of each plane that is rotated; null where that means nothing */
  int64_t inverse_frequency_count;
  int32_t least_axes, most_axes; /* how many numbers a position of this variant may have, within what the plugin says;
                               0: all that the plugin says */
  uint32_t sides;            /* bit POSLAB_QUERY.. set where `transform` changes that side; 0: query and key */
  uint32_t reserved;
  /* With what a network around it begins, where that decides how it learns: */
  double embedding_scale;    /* factor on embeddings [V, D], which are drawn with 1 over it as deviation; 0: none */
  double initial_query_scale; /* factor on the deviation of the matrix that makes queries; 0: 1 */
} poslab_instance;

/* ----------------------------------------------------------------------------------------------------------- plugin */

enum poslab_family {
  POSLAB_FAMILY_NONE = 0,
  POSLAB_FAMILY_ADDITIVE = 1,
  POSLAB_FAMILY_ROTARY = 2,
  POSLAB_FAMILY_BIAS = 3,
  POSLAB_FAMILY_RELATIVE = 4,   /* relative vectors */
  POSLAB_FAMILY_CONTEXTUAL = 5,
  POSLAB_FAMILY_COUNT = 6
};

typedef struct poslab_plugin {
  uint32_t size;
  uint16_t major, minor;      /* POSLAB_MAJOR, POSLAB_MINOR of the header that it was built with */
  const char *id;             /* lower-case-with-hyphens, the name that studies use */
  const char *title;
  const char *version;        /* raise it whenever a number changes: results keep it */
  const char *paper;          /* authors, year, identifier; "" where there is none */
  const char *summary;        /* one sentence */
  const char *formula;        /* one line of plain text */
  const char *used_in;        /* known models, comma-separated; "" where none */
  int32_t family;             /* enum poslab_family */
  int32_t least_axes, most_axes; /* how many numbers a position may have: 1, 1 for text */
  int32_t real_positions;     /* 1: positions between the integers mean something */
  const poslab_parameter *const *parameters;
  int64_t parameter_count;
  /* `values`: parameter_count of them, already validated against the table. Fills `instance`, or refuses. */
  int32_t (*create)(const poslab_value *values, const poslab_model *model, poslab_instance *instance, poslab_error *error);
  void (*destroy)(void *self);
  /* POSLAB_OPERATION_COUNT pairs; null where no variant offers the operation. `operation_count` says how many. */
  const poslab_operation_pair *operations;
  int64_t operation_count;
} poslab_plugin;

/* In a plugin: POSLAB_EXPORT extern const poslab_plugin poslab_plugin_v1; */

#ifdef __cplusplus
}
#endif

#endif
