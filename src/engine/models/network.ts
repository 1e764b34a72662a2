import * as tf from '@tensorflow/tfjs-core'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { type Graph, type Operator, readTflite } from './tflite.ts'

type Values = ReadonlyMap<number, tf.Tensor>

interface Step {
  operator: Operator
  result: number
  activation: 'linear' | 'relu'
}

export interface Network {
  /** `input` has the values of the input tensor in order. */
  run(input: Float32Array): Promise<Float32Array>
}

/** Padding option of the format: 0 pads borders so that no pixel is lost. */
const padding = (operator: Operator): 'same' | 'valid' => (operator.option(0, 'byte') === 0 ? 'same' : 'valid')
const strides = (operator: Operator): [number, number] => [operator.option(2, 'int'), operator.option(1, 'int')]

/** Prepares a graph for TensorFlow.js's current backend. */
function openNetwork(graph: Graph): Network {
  const constants = new Map<number, tf.Tensor>()
  for (const { name, inputs } of graph.operators) {
    const [, weights = -1, bias = -1] = inputs
    if (name !== 'conv' && name !== 'depthwiseConv' && name !== 'transposeConvBias') continue
    constants.set(
      weights,
      tf.tidy(() => arrangeFilters(name, constantIn(graph, weights))),
    )
    constants.set(bias, constantIn(graph, bias))
  }
  const steps = stepsOf(graph)
  return {
    async run(input) {
      const output = tf.tidy(() => {
        const values = new Map(constants)
        values.set(graph.input.tensor, tf.tensor(input, [...graph.input.shape]))
        for (const step of steps) values.set(step.result, compute(step, values, graph))
        return valueIn(values, graph.output.tensor)
      })
      const data = (await output.data()) as Float32Array
      output.dispose()
      return data
    },
  }
}

/** A fused rectification is faster; dequantization is not needed, because weights are floats. */
function stepsOf({ operators }: Graph): Step[] {
  const steps: Step[] = []
  for (const operator of operators) {
    const [result = -1] = operator.outputs
    const before = steps.at(-1)
    const users = operators.filter(({ inputs }) => before && inputs.includes(before.result))
    const follows = operator.name === 'relu' && users.length === 1 && users[0] === operator
    if (follows && /^(conv|depthwiseConv)$/.test(before?.operator.name ?? ''))
      steps.splice(-1, 1, { ...(before as Step), activation: 'relu', result })
    else if (operator.name !== 'dequantize') steps.push({ operator, result, activation: 'linear' })
  }
  return steps
}

/** The file may store weights in 16 bits and dequantize them with an operator. */
function constantIn(graph: Graph, tensor: number): tf.Tensor {
  const maker = graph.operators.find(({ name, outputs }) => name === 'dequantize' && outputs[0] === tensor)
  const found = graph.constant(maker?.inputs[0] ?? tensor)
  if (!found) throw new Error(`tensor ${tensor} is not a constant`)
  return tf.tensor(found.values, [...found.shape])
}

function arrangeFilters(name: Operator['name'], filters: tf.Tensor): tf.Tensor {
  if (name === 'conv') return tf.transpose(filters, [1, 2, 3, 0])
  // [1, height, width, channels]: one filter for each channel.
  if (name === 'depthwiseConv') return tf.reshape(filters, [...filters.shape.slice(1), 1])
  return tf.transpose(filters, [1, 2, 0, 3])
}

function valueIn(values: Values, tensor: number | undefined): tf.Tensor4D {
  const value = tensor === undefined ? undefined : values.get(tensor)
  if (!value) throw new Error(`tensor ${tensor} was not computed`)
  return value as tf.Tensor4D
}

function compute({ operator, activation }: Step, values: Values, graph: Graph): tf.Tensor {
  const { name, inputs, outputs } = operator
  const x = valueIn(values, inputs[0])
  const second = () => valueIn(values, inputs[1])
  const convolution = () => ({
    x,
    filter: second(),
    strides: strides(operator),
    pad: padding(operator),
    bias: valueIn(values, inputs[2]),
    activation,
  })
  switch (name) {
    case 'conv':
      return tf.fused.conv2d(convolution())
    case 'depthwiseConv':
      return tf.fused.depthwiseConv2d(convolution())
    case 'transposeConvBias': {
      const shape = graph.shapeOf(outputs[0] ?? -1) as [number, number, number, number]
      const stride = shape[1] / x.shape[1]
      return tf.add(tf.conv2dTranspose(x, second(), shape, stride, 'same'), valueIn(values, inputs[2]))
    }
    case 'averagePool':
      return tf.avgPool(x, [operator.option(4, 'int'), operator.option(3, 'int')], strides(operator), padding(operator))
    case 'mean': {
      const axes = graph.constant(inputs[1] ?? -1)?.values
      return tf.mean(x, axes && [...axes], operator.option(0, 'byte') === 1)
    }
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
      return tf.add(x, second())
    case 'multiply':
      return tf.mul(x, second())
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

export interface PersonModel {
  /** Size of the model's input and masks. */
  width: number
  height: number
  /** Person probability, 0 to 1, for every pixel of a picture of the model's size. */
  mask(small: Picture): Promise<Plane>
}

/** Reads a TensorFlow Lite file; see {@link readTflite} for errors. */
export function openPersonModel(file: Uint8Array): PersonModel {
  const graph = readTflite(file)
  const [, height = 0, width = 0] = graph.input.shape
  const { run } = openNetwork(graph)
  // Calls may reuse the buffer, because it is copied before `run` waits.
  const colours = new Float32Array(width * height * 3)
  const mask = async (small: Picture) => ({ width, height, data: await run(scaledColours(small, 1 / 255, 0, colours)) })
  return { width, height, mask }
}

/** Writes every colour times `factor` plus `shift` to `colours`. */
export function scaledColours(
  { data }: Picture,
  factor: number,
  shift: number,
  colours = new Float32Array((data.length / 4) * 3),
): Float32Array {
  for (let i = 0, at = 0; i < data.length; i += 4) {
    colours[at++] = factor * (data[i] as number) + shift
    colours[at++] = factor * (data[i + 1] as number) + shift
    colours[at++] = factor * (data[i + 2] as number) + shift
  }
  return colours
}
