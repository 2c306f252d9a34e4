// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/hash.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "poslab/base/error.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::base {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
      throw Error("libcrypto offers no SHA-256");
  }
  void add(const void* bytes, std::size_t count) {
    if (EVP_DigestUpdate(context_.get(), bytes, count) != 1) throw Error("libcrypto failed in SHA-256");
  }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_DigestFinal_ex(context_.get(), digest.data(), &length) != 1) throw Error("libcrypto failed in SHA-256");
    std::string text;
    for (unsigned int i = 0; i < length; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

std::string sha256_of_file(const std::string& path, std::uint64_t most) {
  RegularFile file(path);
  Sha256 hash;
  std::array<char, 1 << 16> block{};
  const auto next = [&] { return static_cast<std::size_t>(std::min<std::uint64_t>(most, block.size())); };
  while (const std::size_t count = file.read(block.data(), next())) hash.add(block.data(), count), most -= count;
  return hash.hex();
}

}  // namespace poslab::base
