import * as tf from '@tensorflow/tfjs-core'
import type { Graph, Operator } from './tflite.ts'

type Values = ReadonlyMap<number, tf.Tensor>

/** A network whose weights are in TensorFlow.js's memory. */
export interface Network {
  /** Runs it once; `input` has the values of its input tensor in order. */
  run(input: Float32Array): Promise<Float32Array>
}

/** In the format's options: whether borders are padded so that no pixel is lost. */
const padding = (operator: Operator) => (operator.option(0, 'byte') === 0 ? 'same' : 'valid')
const strides = (operator: Operator): [number, number] => [operator.option(2, 'int'), operator.option(1, 'int')]

/** Makes a graph ready to run on the backend that TensorFlow.js has at this time. */
export function openNetwork(graph: Graph): Network {
  const constants = new Map<number, tf.Tensor>()
  const place = (tensor: number, as: 'as it is' | 'conv' | 'depthwise' | 'transposed') => {
    const found = graph.constant(sourceOf(graph, tensor))
    if (!found || constants.has(tensor)) return
    const { values } = found
    const shape = [...found.shape]
    constants.set(
      tensor,
      tf.tidy(() => {
        if (as === 'conv') return tf.transpose(tf.tensor(values, shape), [1, 2, 3, 0])
        // [1, height, width, channels]: one filter a channel.
        if (as === 'depthwise') return tf.tensor(values, [...shape.slice(1), 1])
        if (as === 'transposed') return tf.transpose(tf.tensor(values, shape), [1, 2, 0, 3])
        return tf.tensor(values, shape)
      }),
    )
  }
  for (const { name, inputs } of graph.operators) {
    const [, weights = -1, bias = -1] = inputs
    const as = name === 'conv' ? 'conv' : name === 'depthwiseConv' ? 'depthwise' : 'transposed'
    if (name !== 'conv' && name !== 'depthwiseConv' && name !== 'transposeConvBias') continue
    place(weights, as)
    place(bias, 'as it is')
  }
  return {
    async run(input) {
      const output = tf.tidy(() => {
        const values = new Map(constants)
        values.set(graph.input.tensor, tf.tensor(input, [...graph.input.shape]))
        for (const operator of graph.operators) {
          const [result = -1] = operator.outputs
          // Weights were made floats when they were read.
          if (operator.name !== 'dequantize') values.set(result, compute(operator, values, graph))
        }
        return valueIn(values, graph.output.tensor)
      })
      const data = (await output.data()) as Float32Array
      output.dispose()
      return data
    },
  }
}

/** The tensor in the file that a weight is made from: itself, or what is made a float of. */
function sourceOf(graph: Graph, tensor: number): number {
  const maker = graph.operators.find(({ name, outputs }) => name === 'dequantize' && outputs[0] === tensor)
  return maker?.inputs[0] ?? tensor
}

function valueIn(values: Values, tensor: number | undefined): tf.Tensor4D {
  const value = tensor === undefined ? undefined : values.get(tensor)
  if (!value) throw new Error(`nothing has made tensor ${tensor}`)
  return value as tf.Tensor4D
}

function compute(operator: Operator, values: Values, graph: Graph): tf.Tensor {
  const { name, inputs, outputs } = operator
  const [x, second, third] = inputs.map((tensor) => values.get(tensor)) as (tf.Tensor4D | undefined)[]
  if (!x) throw new Error(`nothing has made the input of ${name}`)
  const given = (value: tf.Tensor | undefined): tf.Tensor => {
    if (!value) throw new Error(`${name} lacks an input`)
    return value
  }
  switch (name) {
    case 'conv':
      return tf.fused.conv2d({
        x,
        filter: given(second) as tf.Tensor4D,
        strides: strides(operator),
        pad: padding(operator),
        bias: given(third),
      })
    case 'depthwiseConv':
      return tf.fused.depthwiseConv2d({
        x,
        filter: given(second) as tf.Tensor4D,
        strides: strides(operator),
        pad: padding(operator),
        bias: given(third),
      })
    case 'transposeConvBias': {
      const shape = graph.shapeOf(outputs[0] ?? -1) as [number, number, number, number]
      const stride = shape[1] / x.shape[1]
      return tf.add(tf.conv2dTranspose(x, given(second) as tf.Tensor4D, shape, stride, 'same'), given(third))
    }
    case 'averagePool':
      return tf.avgPool(x, [operator.option(4, 'int'), operator.option(3, 'int')], strides(operator), padding(operator))
    case 'resizeBilinear': {
      const [, height = 0, width = 0] = graph.shapeOf(outputs[0] ?? -1)
      return tf.image.resizeBilinear(
        x,
        [height, width],
        operator.option(2, 'byte') === 1,
        operator.option(3, 'byte') === 1,
      )
    }
    case 'add':
      return tf.add(x, given(second))
    case 'multiply':
      return tf.mul(x, given(second))
    case 'relu':
      return tf.relu(x)
    case 'logistic':
      return tf.sigmoid(x)
    case 'hardSwish':
      return tf.mul(x, tf.mul(tf.relu6(tf.add(x, 3)), 1 / 6))
    case 'dequantize':
      return x
  }
}
