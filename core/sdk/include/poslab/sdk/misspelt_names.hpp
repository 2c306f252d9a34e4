// SPDX-License-Identifier: Apache-2.0
// Made by core/sdk/misspelt.py: X(the right name, a likely slip).
#pragma once

// clang-format off
#define POSLAB_SDK_MISSPELT(X) \
  X(encode, eencode) X(encode, necode) X(encode, ancode) X(encode, incode) X(encode, oncode) X(encode, uncode) \
  X(encode, ecode) X(encode, enncode) X(encode, ecnode) X(encode, enode) X(encode, enccode) X(encode, enocde) \
  X(encode, encde) X(encode, encoode) X(encode, encdoe) X(encode, encade) X(encode, encede) X(encode, encide) \
  X(encode, encude) X(encode, encoe) X(encode, encodde) X(encode, encoed) X(encode, encod) X(encode, encodee) \
  X(encode, encoda) X(encode, encodi) X(encode, encodo) X(encode, encodu) X(encode, encodes) X(encode, Encode) \
  X(rotate, rrotate) X(rotate, ortate) X(rotate, rtate) X(rotate, rootate) X(rotate, rtoate) X(rotate, ratate) \
  X(rotate, retate) X(rotate, ritate) X(rotate, rutate) X(rotate, roate) X(rotate, rottate) X(rotate, roatte) \
  X(rotate, rotte) X(rotate, rotaate) X(rotate, rottae) X(rotate, rotete) X(rotate, rotite) X(rotate, rotote) \
  X(rotate, rotute) X(rotate, rotae) X(rotate, rotatte) X(rotate, rotaet) X(rotate, rotat) X(rotate, rotatee) \
  X(rotate, rotata) X(rotate, rotati) X(rotate, rotato) X(rotate, rotatu) X(rotate, rotates) X(rotate, Rotate) \
  X(transform, ttransform) X(transform, rtansform) X(transform, tansform) X(transform, trransform) \
  X(transform, tarnsform) X(transform, trnsform) X(transform, traansform) X(transform, trnasform) \
  X(transform, trensform) X(transform, trinsform) X(transform, tronsform) X(transform, trunsform) \
  X(transform, trasform) X(transform, trannsform) X(transform, trasnform) X(transform, tranform) \
  X(transform, transsform) X(transform, tranfsorm) X(transform, transorm) X(transform, transfform) \
  X(transform, transofrm) X(transform, transfrm) X(transform, transfoorm) X(transform, transfrom) \
  X(transform, transfarm) X(transform, transferm) X(transform, transfirm) X(transform, transfurm) \
  X(transform, transfom) X(transform, transforrm) X(transform, transfomr) X(transform, transfor) \
  X(transform, transformm) X(transform, transforms) X(transform, Transform) X(bias, bbias) X(bias, ibas) X(bias, bas) \
  X(bias, biias) X(bias, bais) X(bias, baas) X(bias, beas) X(bias, boas) X(bias, buas) X(bias, bis) X(bias, biaas) \
  X(bias, bisa) X(bias, bies) X(bias, biis) X(bias, bios) X(bias, bius) X(bias, bia) X(bias, biass) X(bias, Bias) \
  X(bias, biases) X(score, sscore) X(score, csore) X(score, sore) X(score, sccore) X(score, socre) X(score, scre) \
  X(score, scoore) X(score, scroe) X(score, scare) X(score, scere) X(score, scire) X(score, scure) X(score, scoe) \
  X(score, scorre) X(score, scoer) X(score, scor) X(score, scoree) X(score, scora) X(score, scori) X(score, scoro) \
  X(score, scoru) X(score, scores) X(score, Score) X(mix, mmix) X(mix, imx) X(mix, mx) X(mix, miix) X(mix, mxi) \
  X(mix, max) X(mix, mex) X(mix, mox) X(mix, mux) X(mix, mi) X(mix, mixx) X(mix, mixs) X(mix, Mix) X(mix, mixes) \
  X(encode_gradient, eencode_gradient) X(encode_gradient, necode_gradient) X(encode_gradient, ecode_gradient) \
  X(encode_gradient, enncode_gradient) X(encode_gradient, ecnode_gradient) X(encode_gradient, enode_gradient) \
  X(encode_gradient, enccode_gradient) X(encode_gradient, enocde_gradient) X(encode_gradient, encde_gradient) \
  X(encode_gradient, encoode_gradient) X(encode_gradient, encdoe_gradient) X(encode_gradient, encoe_gradient) \
  X(encode_gradient, encodde_gradient) X(encode_gradient, encoed_gradient) X(encode_gradient, encod_gradient) \
  X(encode_gradient, encodee_gradient) X(encode_gradient, encod_egradient) X(encode_gradient, encodegradient) \
  X(encode_gradient, encode__gradient) X(encode_gradient, encodeg_radient) X(encode_gradient, encode_radient) \
  X(encode_gradient, encode_ggradient) X(encode_gradient, encode_rgadient) X(encode_gradient, encode_gadient) \
  X(encode_gradient, encode_grradient) X(encode_gradient, encode_gardient) X(encode_gradient, encode_grdient) \
  X(encode_gradient, encode_graadient) X(encode_gradient, encode_grdaient) X(encode_gradient, encode_graient) \
  X(encode_gradient, encode_graddient) X(encode_gradient, encode_graident) X(encode_gradient, encode_gradent) \
  X(encode_gradient, encode_gradiient) X(encode_gradient, encode_gradeint) X(encode_gradient, encode_gradint) \
  X(encode_gradient, encode_gradieent) X(encode_gradient, encode_gradinet) X(encode_gradient, encode_gradiet) \
  X(encode_gradient, encode_gradiennt) X(encode_gradient, encode_gradietn) X(encode_gradient, encode_gradien) \
  X(encode_gradient, encode_gradientt) X(encode_gradient, encode_gradients) X(encode_gradient, Encode_gradient) \
  X(encode_gradient, encodeGradient) X(encode_gradient, EncodeGradient) X(encode_gradient, encode_grad) \
  X(encode_gradient, encode_grads) X(encode_gradient, encode_derivative) X(encode_gradient, encode_backward) \
  X(encode_gradient, encode_vjp) X(encode_gradient, encode_jvp) X(encode_gradient, gradient_encode) \
  X(encode_gradient, gradient_of_encode) X(encode_gradient, grad_encode) X(encode_gradient, d_encode) \
  X(transform_gradient, ttransform_gradient) X(transform_gradient, rtansform_gradient) \
  X(transform_gradient, tansform_gradient) X(transform_gradient, trransform_gradient) \
  X(transform_gradient, tarnsform_gradient) X(transform_gradient, trnsform_gradient) \
  X(transform_gradient, traansform_gradient) X(transform_gradient, trnasform_gradient) \
  X(transform_gradient, trasform_gradient) X(transform_gradient, trannsform_gradient) \
  X(transform_gradient, trasnform_gradient) X(transform_gradient, tranform_gradient) \
  X(transform_gradient, transsform_gradient) X(transform_gradient, tranfsorm_gradient) \
  X(transform_gradient, transorm_gradient) X(transform_gradient, transfform_gradient) \
  X(transform_gradient, transofrm_gradient) X(transform_gradient, transfrm_gradient) \
  X(transform_gradient, transfoorm_gradient) X(transform_gradient, transfrom_gradient) \
  X(transform_gradient, transfom_gradient) X(transform_gradient, transforrm_gradient) \
  X(transform_gradient, transfomr_gradient) X(transform_gradient, transfor_gradient) \
  X(transform_gradient, transformm_gradient) X(transform_gradient, transfor_mgradient) \
  X(transform_gradient, transformgradient) X(transform_gradient, transform__gradient) \
  X(transform_gradient, transformg_radient) X(transform_gradient, transform_radient) \
  X(transform_gradient, transform_ggradient) X(transform_gradient, transform_rgadient) \
  X(transform_gradient, transform_gadient) X(transform_gradient, transform_grradient) \
  X(transform_gradient, transform_gardient) X(transform_gradient, transform_grdient) \
  X(transform_gradient, transform_graadient) X(transform_gradient, transform_grdaient) \
  X(transform_gradient, transform_graient) X(transform_gradient, transform_graddient) \
  X(transform_gradient, transform_graident) X(transform_gradient, transform_gradent) \
  X(transform_gradient, transform_gradiient) X(transform_gradient, transform_gradeint) \
  X(transform_gradient, transform_gradint) X(transform_gradient, transform_gradieent) \
  X(transform_gradient, transform_gradinet) X(transform_gradient, transform_gradiet) \
  X(transform_gradient, transform_gradiennt) X(transform_gradient, transform_gradietn) \
  X(transform_gradient, transform_gradien) X(transform_gradient, transform_gradientt) \
  X(transform_gradient, transform_gradients) X(transform_gradient, Transform_gradient) \
  X(transform_gradient, transformGradient) X(transform_gradient, TransformGradient) \
  X(transform_gradient, transform_grad) X(transform_gradient, transform_grads) \
  X(transform_gradient, transform_derivative) X(transform_gradient, transform_backward) \
  X(transform_gradient, transform_vjp) X(transform_gradient, transform_jvp) X(transform_gradient, gradient_transform) \
  X(transform_gradient, gradient_of_transform) X(transform_gradient, grad_transform) \
  X(transform_gradient, d_transform) X(bias_gradient, bbias_gradient) X(bias_gradient, ibas_gradient) \
  X(bias_gradient, bas_gradient) X(bias_gradient, biias_gradient) X(bias_gradient, bais_gradient) \
  X(bias_gradient, bis_gradient) X(bias_gradient, biaas_gradient) X(bias_gradient, bisa_gradient) \
  X(bias_gradient, bia_gradient) X(bias_gradient, biass_gradient) X(bias_gradient, bia_sgradient) \
  X(bias_gradient, biasgradient) X(bias_gradient, bias__gradient) X(bias_gradient, biasg_radient) \
  X(bias_gradient, bias_radient) X(bias_gradient, bias_ggradient) X(bias_gradient, bias_rgadient) \
  X(bias_gradient, bias_gadient) X(bias_gradient, bias_grradient) X(bias_gradient, bias_gardient) \
  X(bias_gradient, bias_grdient) X(bias_gradient, bias_graadient) X(bias_gradient, bias_grdaient) \
  X(bias_gradient, bias_graient) X(bias_gradient, bias_graddient) X(bias_gradient, bias_graident) \
  X(bias_gradient, bias_gradent) X(bias_gradient, bias_gradiient) X(bias_gradient, bias_gradeint) \
  X(bias_gradient, bias_gradint) X(bias_gradient, bias_gradieent) X(bias_gradient, bias_gradinet) \
  X(bias_gradient, bias_gradiet) X(bias_gradient, bias_gradiennt) X(bias_gradient, bias_gradietn) \
  X(bias_gradient, bias_gradien) X(bias_gradient, bias_gradientt) X(bias_gradient, bias_gradients) \
  X(bias_gradient, Bias_gradient) X(bias_gradient, biasGradient) X(bias_gradient, BiasGradient) \
  X(bias_gradient, bias_grad) X(bias_gradient, bias_grads) X(bias_gradient, bias_derivative) \
  X(bias_gradient, bias_backward) X(bias_gradient, bias_vjp) X(bias_gradient, bias_jvp) \
  X(bias_gradient, gradient_bias) X(bias_gradient, gradient_of_bias) X(bias_gradient, grad_bias) \
  X(bias_gradient, d_bias) X(score_gradient, sscore_gradient) X(score_gradient, csore_gradient) \
  X(score_gradient, sore_gradient) X(score_gradient, sccore_gradient) X(score_gradient, socre_gradient) \
  X(score_gradient, scre_gradient) X(score_gradient, scoore_gradient) X(score_gradient, scroe_gradient) \
  X(score_gradient, scoe_gradient) X(score_gradient, scorre_gradient) X(score_gradient, scoer_gradient) \
  X(score_gradient, scor_gradient) X(score_gradient, scoree_gradient) X(score_gradient, scor_egradient) \
  X(score_gradient, scoregradient) X(score_gradient, score__gradient) X(score_gradient, scoreg_radient) \
  X(score_gradient, score_radient) X(score_gradient, score_ggradient) X(score_gradient, score_rgadient) \
  X(score_gradient, score_gadient) X(score_gradient, score_grradient) X(score_gradient, score_gardient) \
  X(score_gradient, score_grdient) X(score_gradient, score_graadient) X(score_gradient, score_grdaient) \
  X(score_gradient, score_graient) X(score_gradient, score_graddient) X(score_gradient, score_graident) \
  X(score_gradient, score_gradent) X(score_gradient, score_gradiient) X(score_gradient, score_gradeint) \
  X(score_gradient, score_gradint) X(score_gradient, score_gradieent) X(score_gradient, score_gradinet) \
  X(score_gradient, score_gradiet) X(score_gradient, score_gradiennt) X(score_gradient, score_gradietn) \
  X(score_gradient, score_gradien) X(score_gradient, score_gradientt) X(score_gradient, score_gradients) \
  X(score_gradient, Score_gradient) X(score_gradient, scoreGradient) X(score_gradient, ScoreGradient) \
  X(score_gradient, score_grad) X(score_gradient, score_grads) X(score_gradient, score_derivative) \
  X(score_gradient, score_backward) X(score_gradient, score_vjp) X(score_gradient, score_jvp) \
  X(score_gradient, gradient_score) X(score_gradient, gradient_of_score) X(score_gradient, grad_score) \
  X(score_gradient, d_score) X(mix_gradient, mmix_gradient) X(mix_gradient, imx_gradient) X(mix_gradient, mx_gradient) \
  X(mix_gradient, miix_gradient) X(mix_gradient, mxi_gradient) X(mix_gradient, mi_gradient) \
  X(mix_gradient, mixx_gradient) X(mix_gradient, mi_xgradient) X(mix_gradient, mixgradient) \
  X(mix_gradient, mix__gradient) X(mix_gradient, mixg_radient) X(mix_gradient, mix_radient) \
  X(mix_gradient, mix_ggradient) X(mix_gradient, mix_rgadient) X(mix_gradient, mix_gadient) \
  X(mix_gradient, mix_grradient) X(mix_gradient, mix_gardient) X(mix_gradient, mix_grdient) \
  X(mix_gradient, mix_graadient) X(mix_gradient, mix_grdaient) X(mix_gradient, mix_graient) \
  X(mix_gradient, mix_graddient) X(mix_gradient, mix_graident) X(mix_gradient, mix_gradent) \
  X(mix_gradient, mix_gradiient) X(mix_gradient, mix_gradeint) X(mix_gradient, mix_gradint) \
  X(mix_gradient, mix_gradieent) X(mix_gradient, mix_gradinet) X(mix_gradient, mix_gradiet) \
  X(mix_gradient, mix_gradiennt) X(mix_gradient, mix_gradietn) X(mix_gradient, mix_gradien) \
  X(mix_gradient, mix_gradientt) X(mix_gradient, mix_gradients) X(mix_gradient, Mix_gradient) \
  X(mix_gradient, mixGradient) X(mix_gradient, MixGradient) X(mix_gradient, mix_grad) X(mix_gradient, mix_grads) \
  X(mix_gradient, mix_derivative) X(mix_gradient, mix_backward) X(mix_gradient, mix_vjp) X(mix_gradient, mix_jvp) \
  X(mix_gradient, gradient_mix) X(mix_gradient, gradient_of_mix) X(mix_gradient, grad_mix) X(mix_gradient, d_mix) \
  X(params, pparams) X(params, aprams) X(params, prams) X(params, paarams) X(params, praams) X(params, perams) \
  X(params, pirams) X(params, porams) X(params, purams) X(params, paams) X(params, parrams) X(params, paarms) \
  X(params, parms) X(params, paraams) X(params, parmas) X(params, parems) X(params, parims) X(params, paroms) \
  X(params, parums) X(params, paras) X(params, paramms) X(params, parasm) X(params, param) X(params, paramss) \
  X(params, Params) X(params, parameters) X(params, parameter) X(prepare, pprepare) X(prepare, rpepare) \
  X(prepare, pepare) X(prepare, prrepare) X(prepare, perpare) X(prepare, prpare) X(prepare, preepare) \
  X(prepare, prpeare) X(prepare, prapare) X(prepare, pripare) X(prepare, propare) X(prepare, prupare) \
  X(prepare, preare) X(prepare, preppare) X(prepare, preapre) X(prepare, prepre) X(prepare, prepaare) \
  X(prepare, preprae) X(prepare, prepere) X(prepare, prepire) X(prepare, prepore) X(prepare, prepure) \
  X(prepare, prepae) X(prepare, preparre) X(prepare, prepaer) X(prepare, prepar) X(prepare, preparee) \
  X(prepare, prepara) X(prepare, prepari) X(prepare, preparo) X(prepare, preparu) X(prepare, prepares) \
  X(prepare, Prepare) X(prepare, prepair) X(prepare, initialise) X(prepare, initialize) X(prepare, init) \
  X(prepare, setup) X(weights, wweights) X(weights, ewights) X(weights, wights) X(weights, weeights) \
  X(weights, wieghts) X(weights, waights) X(weights, wiights) X(weights, woights) X(weights, wuights) \
  X(weights, weghts) X(weights, weiights) X(weights, wegihts) X(weights, weaghts) X(weights, weeghts) \
  X(weights, weoghts) X(weights, weughts) X(weights, weihts) X(weights, weigghts) X(weights, weihgts) \
  X(weights, weigts) X(weights, weighhts) X(weights, weigths) X(weights, weighs) X(weights, weightts) \
  X(weights, weighst) X(weights, weight) X(weights, weightss) X(weights, Weights) X(offers, ooffers) X(offers, fofers) \
  X(offers, affers) X(offers, effers) X(offers, iffers) X(offers, uffers) X(offers, ofers) X(offers, offfers) \
  X(offers, ofefrs) X(offers, offrs) X(offers, offeers) X(offers, offres) X(offers, offars) X(offers, offirs) \
  X(offers, offors) X(offers, offurs) X(offers, offes) X(offers, offerrs) X(offers, offesr) X(offers, offer) \
  X(offers, offerss) X(offers, Offers) X(offers, supports)
// clang-format on
