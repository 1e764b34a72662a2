import type * as TensorFlow from '@tensorflow/tfjs-core'

/**
 * The strides of the depthwise convolutions of MobileNet (Howard et al. 2017), which FaceRes is
 * built on.
 */
const strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]

type Weights = Readonly<Record<string, readonly TensorFlow.Tensor[]>>

/**
 * What FaceRes makes of a square picture, from the weights of the stored model: the 1024 features
 * of a face and the probabilities of its age in years. The stored graph has 150 single operations;
 * here normalisation and clipping are part of the convolutions, which gives the same numbers in
 * half the time.
 */
export function foldFaceRes(
  tf: typeof TensorFlow,
  weights: Weights,
): (picture: TensorFlow.Tensor) => TensorFlow.Tensor[] {
  const weight = <Rank extends TensorFlow.Tensor>(name: string): Rank => {
    const [found] = weights[name] ?? []
    if (!found) throw new Error(`the model of face descriptions has no ${name}`)
    return found as Rank
  }
  const filters = strides.map((_, i) => {
    const kernel = weight(`conv_dw_${i + 1}/depthwise_kernel`)
    const factors = weight(`conv_dw_${i + 1}_bn/batchnorm_1/mul`)
    return tf.tidy(() => tf.mul<TensorFlow.Tensor4D>(kernel, tf.reshape(factors, [-1, 1])))
  })
  const convolve = (x: TensorFlow.Tensor4D, name: string, step: number) =>
    tf.fused.conv2d({
      x,
      filter: weight<TensorFlow.Tensor4D>(`${name}/convolution/merged_input`),
      strides: step,
      pad: 'same',
      bias: weight(`${name}_bn/batchnorm_1/sub`),
      activation: 'relu6',
    })
  const convolveChannels = (x: TensorFlow.Tensor4D, i: number) =>
    tf.fused.depthwiseConv2d({
      x,
      filter: filters[i] as TensorFlow.Tensor4D,
      strides: strides[i] as number,
      pad: 'same',
      bias: weight(`conv_dw_${i + 1}_bn/batchnorm_1/sub`),
      activation: 'relu6',
    })
  const dense = (x: TensorFlow.Tensor, name: string) =>
    tf.add(tf.matMul(x, weight(`${name}/kernel`)), weight(`${name}/bias`))
  return (picture) =>
    tf.tidy(() => {
      let x = convolve(picture as TensorFlow.Tensor4D, 'conv1', 2)
      for (const i of strides.keys()) x = convolve(convolveChannels(x, i), `conv_pw_${i + 1}`, 1)
      const features = tf.mean(x, [1, 2])
      return [features, tf.softmax(dense(tf.relu(dense(features, 'feats')), 'age_pred'))]
    })
}
