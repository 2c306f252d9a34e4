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
  X(mix, mex) X(mix, mox) X(mix, mux) X(mix, mi) X(mix, mixx) X(mix, mixs) X(mix, Mix) X(mix, mixes) \
  X(encode_gradient, eencode_gradient) X(encode_gradient, necode_gradient) X(encode_gradient, ecode_gradient) \
  X(encode_gradient, enncode_gradient) X(encode_gradient, ecnode_gradient) X(encode_gradient, enode_gradient) \
  X(encode_gradient, enccode_gradient) X(encode_gradient, enocde_gradient) X(encode_gradient, encde_gradient) \
  X(encode_gradient, encoode_gradient) X(encode_gradient, encdoe_gradient) X(encode_gradient, encoe_gradient) \
  X(encode_gradient, encodde_gradient) X(encode_gradient, encoed_gradient) X(encode_gradient, encod_gradient) \
  X(encode_gradient, encodee_gradient) X(encode_gradient, encod_egradient) X(encode_gradient, encodegradient) \
  X(encode_gradient, encode__gradient) X(encode_gradient, encodeg_radient) X(encode_gradient, encode_radient) \
  X(encode_gradient, encode_ggradient) X(encode_gradient, encode_rgadient) X(encode_gradient, encode_gadient) \
  X(encode_gradient, encode_grradient) X(encode_gradient, encode_gardient) X(encode_gradient, encode_grdient) \
  X(encode_gradient, encode_graadient) X(encode_gradient, encode_grdaient) X(encode_gradient, encode_gredient) \
  X(encode_gradient, encode_gridient) X(encode_gradient, encode_grodient) X(encode_gradient, encode_grudient) \
  X(encode_gradient, encode_graient) X(encode_gradient, encode_graddient) X(encode_gradient, encode_graident) \
  X(encode_gradient, encode_gradent) X(encode_gradient, encode_gradiient) X(encode_gradient, encode_gradeint) \
  X(encode_gradient, encode_gradaent) X(encode_gradient, encode_gradeent) X(encode_gradient, encode_gradoent) \
  X(encode_gradient, encode_graduent) X(encode_gradient, encode_gradint) X(encode_gradient, encode_gradieent) \
  X(encode_gradient, encode_gradinet) X(encode_gradient, encode_gradiant) X(encode_gradient, encode_gradiint) \
  X(encode_gradient, encode_gradiont) X(encode_gradient, encode_gradiunt) X(encode_gradient, encode_gradiet) \
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
  X(transform_gradient, transform_gredient) X(transform_gradient, transform_gridient) \
  X(transform_gradient, transform_grodient) X(transform_gradient, transform_grudient) \
  X(transform_gradient, transform_graient) X(transform_gradient, transform_graddient) \
  X(transform_gradient, transform_graident) X(transform_gradient, transform_gradent) \
  X(transform_gradient, transform_gradiient) X(transform_gradient, transform_gradeint) \
  X(transform_gradient, transform_gradaent) X(transform_gradient, transform_gradeent) \
  X(transform_gradient, transform_gradoent) X(transform_gradient, transform_graduent) \
  X(transform_gradient, transform_gradint) X(transform_gradient, transform_gradieent) \
  X(transform_gradient, transform_gradinet) X(transform_gradient, transform_gradiant) \
  X(transform_gradient, transform_gradiint) X(transform_gradient, transform_gradiont) \
  X(transform_gradient, transform_gradiunt) X(transform_gradient, transform_gradiet) \
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
  X(bias_gradient, bias_gredient) X(bias_gradient, bias_gridient) X(bias_gradient, bias_grodient) \
  X(bias_gradient, bias_grudient) X(bias_gradient, bias_graient) X(bias_gradient, bias_graddient) \
  X(bias_gradient, bias_graident) X(bias_gradient, bias_gradent) X(bias_gradient, bias_gradiient) \
  X(bias_gradient, bias_gradeint) X(bias_gradient, bias_gradaent) X(bias_gradient, bias_gradeent) \
  X(bias_gradient, bias_gradoent) X(bias_gradient, bias_graduent) X(bias_gradient, bias_gradint) \
  X(bias_gradient, bias_gradieent) X(bias_gradient, bias_gradinet) X(bias_gradient, bias_gradiant) \
  X(bias_gradient, bias_gradiint) X(bias_gradient, bias_gradiont) X(bias_gradient, bias_gradiunt) \
  X(bias_gradient, bias_gradiet) X(bias_gradient, bias_gradiennt) X(bias_gradient, bias_gradietn) \
  X(bias_gradient, bias_gradien) X(bias_gradient, bias_gradientt) X(bias_gradient, bias_gradients) \
  X(bias_gradient, Bias_gradient) X(bias_gradient, biases_gradient) X(bias_gradient, biasGradient) \
  X(bias_gradient, BiasGradient) X(bias_gradient, bias_grad) X(bias_gradient, bias_grads) \
  X(bias_gradient, bias_derivative) X(bias_gradient, bias_backward) X(bias_gradient, bias_vjp) \
  X(bias_gradient, bias_jvp) X(bias_gradient, gradient_bias) X(bias_gradient, gradient_of_bias) \
  X(bias_gradient, grad_bias) X(bias_gradient, d_bias) X(score_gradient, sscore_gradient) \
  X(score_gradient, csore_gradient) X(score_gradient, sore_gradient) X(score_gradient, sccore_gradient) \
  X(score_gradient, socre_gradient) X(score_gradient, scre_gradient) X(score_gradient, scoore_gradient) \
  X(score_gradient, scroe_gradient) X(score_gradient, scoe_gradient) X(score_gradient, scorre_gradient) \
  X(score_gradient, scoer_gradient) X(score_gradient, scor_gradient) X(score_gradient, scoree_gradient) \
  X(score_gradient, scor_egradient) X(score_gradient, scoregradient) X(score_gradient, score__gradient) \
  X(score_gradient, scoreg_radient) X(score_gradient, score_radient) X(score_gradient, score_ggradient) \
  X(score_gradient, score_rgadient) X(score_gradient, score_gadient) X(score_gradient, score_grradient) \
  X(score_gradient, score_gardient) X(score_gradient, score_grdient) X(score_gradient, score_graadient) \
  X(score_gradient, score_grdaient) X(score_gradient, score_gredient) X(score_gradient, score_gridient) \
  X(score_gradient, score_grodient) X(score_gradient, score_grudient) X(score_gradient, score_graient) \
  X(score_gradient, score_graddient) X(score_gradient, score_graident) X(score_gradient, score_gradent) \
  X(score_gradient, score_gradiient) X(score_gradient, score_gradeint) X(score_gradient, score_gradaent) \
  X(score_gradient, score_gradeent) X(score_gradient, score_gradoent) X(score_gradient, score_graduent) \
  X(score_gradient, score_gradint) X(score_gradient, score_gradieent) X(score_gradient, score_gradinet) \
  X(score_gradient, score_gradiant) X(score_gradient, score_gradiint) X(score_gradient, score_gradiont) \
  X(score_gradient, score_gradiunt) X(score_gradient, score_gradiet) X(score_gradient, score_gradiennt) \
  X(score_gradient, score_gradietn) X(score_gradient, score_gradien) X(score_gradient, score_gradientt) \
  X(score_gradient, score_gradients) X(score_gradient, Score_gradient) X(score_gradient, scoreGradient) \
  X(score_gradient, ScoreGradient) X(score_gradient, score_grad) X(score_gradient, score_grads) \
  X(score_gradient, score_derivative) X(score_gradient, score_backward) X(score_gradient, score_vjp) \
  X(score_gradient, score_jvp) X(score_gradient, gradient_score) X(score_gradient, gradient_of_score) \
  X(score_gradient, grad_score) X(score_gradient, d_score) X(mix_gradient, mmix_gradient) \
  X(mix_gradient, imx_gradient) X(mix_gradient, mx_gradient) X(mix_gradient, miix_gradient) \
  X(mix_gradient, mxi_gradient) X(mix_gradient, mi_gradient) X(mix_gradient, mixx_gradient) \
  X(mix_gradient, mi_xgradient) X(mix_gradient, mixgradient) X(mix_gradient, mix__gradient) \
  X(mix_gradient, mixg_radient) X(mix_gradient, mix_radient) X(mix_gradient, mix_ggradient) \
  X(mix_gradient, mix_rgadient) X(mix_gradient, mix_gadient) X(mix_gradient, mix_grradient) \
  X(mix_gradient, mix_gardient) X(mix_gradient, mix_grdient) X(mix_gradient, mix_graadient) \
  X(mix_gradient, mix_grdaient) X(mix_gradient, mix_gredient) X(mix_gradient, mix_gridient) \
  X(mix_gradient, mix_grodient) X(mix_gradient, mix_grudient) X(mix_gradient, mix_graient) \
  X(mix_gradient, mix_graddient) X(mix_gradient, mix_graident) X(mix_gradient, mix_gradent) \
  X(mix_gradient, mix_gradiient) X(mix_gradient, mix_gradeint) X(mix_gradient, mix_gradaent) \
  X(mix_gradient, mix_gradeent) X(mix_gradient, mix_gradoent) X(mix_gradient, mix_graduent) \
  X(mix_gradient, mix_gradint) X(mix_gradient, mix_gradieent) X(mix_gradient, mix_gradinet) \
  X(mix_gradient, mix_gradiant) X(mix_gradient, mix_gradiint) X(mix_gradient, mix_gradiont) \
  X(mix_gradient, mix_gradiunt) X(mix_gradient, mix_gradiet) X(mix_gradient, mix_gradiennt) \
  X(mix_gradient, mix_gradietn) X(mix_gradient, mix_gradien) X(mix_gradient, mix_gradientt) \
  X(mix_gradient, mix_gradients) X(mix_gradient, Mix_gradient) X(mix_gradient, mixGradient) \
  X(mix_gradient, MixGradient) X(mix_gradient, mix_grad) X(mix_gradient, mix_grads) X(mix_gradient, mix_derivative) \
  X(mix_gradient, mix_backward) X(mix_gradient, mix_vjp) X(mix_gradient, mix_jvp) X(mix_gradient, gradient_mix) \
  X(mix_gradient, gradient_of_mix) X(mix_gradient, grad_mix) X(mix_gradient, d_mix) X(params, pparams) \
  X(params, aprams) X(params, prams) X(params, paarams) X(params, praams) X(params, perams) X(params, pirams) \
  X(params, porams) X(params, purams) X(params, paams) X(params, parrams) X(params, paarms) X(params, parms) \
  X(params, paraams) X(params, parmas) X(params, parems) X(params, parims) X(params, paroms) X(params, parums) \
  X(params, paras) X(params, paramms) X(params, parasm) X(params, param) X(params, paramss) X(params, pparam) \
  X(params, apram) X(params, pram) X(params, paaram) X(params, praam) X(params, peram) X(params, piram) \
  X(params, poram) X(params, puram) X(params, paam) X(params, parram) X(params, paarm) X(params, parm) \
  X(params, paraam) X(params, parma) X(params, parem) X(params, parim) X(params, parom) X(params, parum) \
  X(params, paramm) X(params, Params) X(params, parameters) X(params, parameter) X(params, parametres) \
  X(params, parametre) X(params, paramaters) X(params, paramters) X(prepare, pprepare) X(prepare, rpepare) \
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
  X(weights, weighst) X(weights, weight) X(weights, weightss) X(weights, wweight) X(weights, ewight) X(weights, wight) \
  X(weights, weeight) X(weights, wieght) X(weights, waight) X(weights, wiight) X(weights, woight) X(weights, wuight) \
  X(weights, weght) X(weights, weiight) X(weights, wegiht) X(weights, weaght) X(weights, weeght) X(weights, weoght) \
  X(weights, weught) X(weights, weiht) X(weights, weigght) X(weights, weihgt) X(weights, weigt) X(weights, weighht) \
  X(weights, weigth) X(weights, weightt) X(weights, Weights) X(offers, ooffers) X(offers, fofers) X(offers, affers) \
  X(offers, effers) X(offers, iffers) X(offers, uffers) X(offers, ofers) X(offers, offfers) X(offers, ofefrs) \
  X(offers, offrs) X(offers, offeers) X(offers, offres) X(offers, offars) X(offers, offirs) X(offers, offors) \
  X(offers, offurs) X(offers, offes) X(offers, offerrs) X(offers, offesr) X(offers, offer) X(offers, offerss) \
  X(offers, ooffer) X(offers, fofer) X(offers, affer) X(offers, effer) X(offers, iffer) X(offers, uffer) \
  X(offers, ofer) X(offers, offfer) X(offers, ofefr) X(offers, offr) X(offers, offeer) X(offers, offre) \
  X(offers, offar) X(offers, offir) X(offers, offor) X(offers, offur) X(offers, offe) X(offers, offerr) \
  X(offers, Offers) X(offers, supports)

#define POSLAB_SDK_MISSPELT_PROPERTIES(X) \
  X(claims, lcaims) X(claims, caims) X(claims, calims) X(claims, clims) X(claims, cliams) X(claims, clams) \
  X(claims, clamis) X(claims, clais) X(claims, claism) X(claims, claim) X(mask, amsk) X(mask, msk) X(mask, msak) \
  X(mask, mak) X(mask, maks) X(mask, mas) X(mask, masks) X(min_position, imn_position) X(min_position, mn_position) \
  X(min_position, mni_position) X(min_position, mi_position) X(min_position, mi_nposition) \
  X(min_position, minposition) X(min_position, minp_osition) X(min_position, min_osition) \
  X(min_position, min_opsition) X(min_position, min_psition) X(min_position, min_psoition) \
  X(min_position, min_poition) X(min_position, min_poistion) X(min_position, min_postion) \
  X(min_position, min_postiion) X(min_position, min_posiion) X(min_position, min_posiiton) \
  X(min_position, min_positon) X(min_position, min_positoin) X(min_position, min_positin) \
  X(min_position, min_positino) X(min_position, min_positio) X(min_position, min_positions) \
  X(min_position, minimum_position) X(max_position, amx_position) X(max_position, mx_position) \
  X(max_position, mxa_position) X(max_position, ma_position) X(max_position, ma_xposition) \
  X(max_position, maxposition) X(max_position, maxp_osition) X(max_position, max_osition) \
  X(max_position, max_opsition) X(max_position, max_psition) X(max_position, max_psoition) \
  X(max_position, max_poition) X(max_position, max_poistion) X(max_position, max_postion) \
  X(max_position, max_postiion) X(max_position, max_posiion) X(max_position, max_posiiton) \
  X(max_position, max_positon) X(max_position, max_positoin) X(max_position, max_positin) \
  X(max_position, max_positino) X(max_position, max_positio) X(max_position, max_positions) \
  X(max_position, maximum_position) X(axes, xaes) X(axes, aes) X(axes, aexs) X(axes, axs) X(axes, axse) \
  X(unique_up_to, nuique_up_to) X(unique_up_to, uique_up_to) X(unique_up_to, uinque_up_to) \
  X(unique_up_to, unque_up_to) X(unique_up_to, unqiue_up_to) X(unique_up_to, uniue_up_to) \
  X(unique_up_to, uniuqe_up_to) X(unique_up_to, uniqe_up_to) X(unique_up_to, uniqeu_up_to) \
  X(unique_up_to, uniqu_up_to) X(unique_up_to, uniqu_eup_to) X(unique_up_to, uniqueup_to) \
  X(unique_up_to, uniqueu_p_to) X(unique_up_to, unique_p_to) X(unique_up_to, unique_pu_to) \
  X(unique_up_to, unique_u_to) X(unique_up_to, unique_u_pto) X(unique_up_to, unique_upto) \
  X(unique_up_to, unique_upt_o) X(unique_up_to, unique_up_o) X(unique_up_to, unique_up_ot) \
  X(unique_up_to, unique_up_t) X(unique_up_to, unique_up_tos) X(logit_scale, olgit_scale) X(logit_scale, lgit_scale) \
  X(logit_scale, lgoit_scale) X(logit_scale, loit_scale) X(logit_scale, loigt_scale) X(logit_scale, logt_scale) \
  X(logit_scale, logti_scale) X(logit_scale, logi_scale) X(logit_scale, logi_tscale) X(logit_scale, logitscale) \
  X(logit_scale, logits_cale) X(logit_scale, logit_cale) X(logit_scale, logit_csale) X(logit_scale, logit_sale) \
  X(logit_scale, logit_sacle) X(logit_scale, logit_scle) X(logit_scale, logit_sclae) X(logit_scale, logit_scae) \
  X(logit_scale, logit_scael) X(logit_scale, logit_scal) X(logit_scale, logit_scales) \
  X(score_writes_logits, csore_writes_logits) X(score_writes_logits, sore_writes_logits) \
  X(score_writes_logits, socre_writes_logits) X(score_writes_logits, scre_writes_logits) \
  X(score_writes_logits, scroe_writes_logits) X(score_writes_logits, scoe_writes_logits) \
  X(score_writes_logits, scoer_writes_logits) X(score_writes_logits, scor_writes_logits) \
  X(score_writes_logits, scor_ewrites_logits) X(score_writes_logits, scorewrites_logits) \
  X(score_writes_logits, scorew_rites_logits) X(score_writes_logits, score_rites_logits) \
  X(score_writes_logits, score_rwites_logits) X(score_writes_logits, score_wites_logits) \
  X(score_writes_logits, score_wirtes_logits) X(score_writes_logits, score_wrtes_logits) \
  X(score_writes_logits, score_wrties_logits) X(score_writes_logits, score_wries_logits) \
  X(score_writes_logits, score_wriets_logits) X(score_writes_logits, score_writs_logits) \
  X(score_writes_logits, score_writse_logits) X(score_writes_logits, score_write_logits) \
  X(score_writes_logits, score_write_slogits) X(score_writes_logits, score_writeslogits) \
  X(score_writes_logits, score_writesl_ogits) X(score_writes_logits, score_writes_ogits) \
  X(score_writes_logits, score_writes_olgits) X(score_writes_logits, score_writes_lgits) \
  X(score_writes_logits, score_writes_lgoits) X(score_writes_logits, score_writes_loits) \
  X(score_writes_logits, score_writes_loigts) X(score_writes_logits, score_writes_logts) \
  X(score_writes_logits, score_writes_logtis) X(score_writes_logits, score_writes_logis) \
  X(score_writes_logits, score_writes_logist) X(score_writes_logits, score_writes_logit) X(pairing, apiring) \
  X(pairing, piring) X(pairing, piaring) X(pairing, pariing) X(pairing, paiing) X(pairing, paiirng) X(pairing, pairng) \
  X(pairing, pairnig) X(pairing, pairig) X(pairing, pairign) X(pairing, pairin) X(rotary_width, ortary_width) \
  X(rotary_width, rtary_width) X(rotary_width, rtoary_width) X(rotary_width, roary_width) \
  X(rotary_width, roatry_width) X(rotary_width, rotry_width) X(rotary_width, rotray_width) \
  X(rotary_width, rotay_width) X(rotary_width, rotayr_width) X(rotary_width, rotar_width) \
  X(rotary_width, rotar_ywidth) X(rotary_width, rotarywidth) X(rotary_width, rotaryw_idth) \
  X(rotary_width, rotary_idth) X(rotary_width, rotary_iwdth) X(rotary_width, rotary_wdth) \
  X(rotary_width, rotary_wdith) X(rotary_width, rotary_with) X(rotary_width, rotary_witdh) \
  X(rotary_width, rotary_widh) X(rotary_width, rotary_widht) X(rotary_width, rotary_widt) \
  X(rotary_width, rotary_widths) X(inverse_frequency, niverse_frequency) X(inverse_frequency, iverse_frequency) \
  X(inverse_frequency, ivnerse_frequency) X(inverse_frequency, inerse_frequency) \
  X(inverse_frequency, inevrse_frequency) X(inverse_frequency, invrse_frequency) \
  X(inverse_frequency, invrese_frequency) X(inverse_frequency, invese_frequency) \
  X(inverse_frequency, invesre_frequency) X(inverse_frequency, invere_frequency) \
  X(inverse_frequency, inveres_frequency) X(inverse_frequency, invers_frequency) \
  X(inverse_frequency, invers_efrequency) X(inverse_frequency, inversefrequency) \
  X(inverse_frequency, inversef_requency) X(inverse_frequency, inverse_requency) \
  X(inverse_frequency, inverse_rfequency) X(inverse_frequency, inverse_fequency) \
  X(inverse_frequency, inverse_ferquency) X(inverse_frequency, inverse_frquency) \
  X(inverse_frequency, inverse_frqeuency) X(inverse_frequency, inverse_freuency) \
  X(inverse_frequency, inverse_freuqency) X(inverse_frequency, inverse_freqency) \
  X(inverse_frequency, inverse_freqeuncy) X(inverse_frequency, inverse_frequncy) \
  X(inverse_frequency, inverse_frequnecy) X(inverse_frequency, inverse_frequecy) \
  X(inverse_frequency, inverse_frequecny) X(inverse_frequency, inverse_frequeny) \
  X(inverse_frequency, inverse_frequenyc) X(inverse_frequency, inverse_frequenc) \
  X(inverse_frequency, inverse_frequencys) X(inverse_frequency, inverse_frequencies)
// clang-format on
