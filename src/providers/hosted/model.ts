import type { Json } from '#contract/json.ts'
import type { TaskName } from '#engine/task-work.ts'

/** What a field of a model is given: a part of the task's work, or always the same. */
export interface ModelInput {
  from: 'picture' | 'mask' | 'matte' | 'prompt' | 'seed' | 'width' | 'height' | 'factor' | 'strength' | 'value'
  /** Of `value`; words around `{prompt}` of `prompt`. */
  value?: string | number | boolean | null
  /** A mask whose black is what is made anew. */
  inverted?: boolean
}

/** Tasks whose result is one picture that a service makes. */
type HostedTask = Exclude<TaskName, 'selectObject' | 'depth' | 'parseFace' | 'safety' | 'videoMatte'>

/** A model of a hosted service that does a task. */
export interface HostedModel {
  task: HostedTask
  /** As the service names it: `owner/name`, or a version. */
  target: string
  input: Record<string, ModelInput>
  /** Where the picture's address stands in the output: `images.0.url`; empty: it is the output. */
  output: string
  /** US dollars that one run is expected to cost. */
  price: number
  /** Seconds after which a run is given up. */
  timeLimit: number
}

/** What admins set of a hosted service. */
export interface HostedSettings {
  enabled: boolean
  /** US dollars; null: no bound. */
  budgetDay: number | null
  budgetMonth: number | null
  models: HostedModel[]
}

const picture = { from: 'picture' } as const
const value = (given: string) => ({ from: 'value', value: given }) as const
const words = (around: string) => ({ from: 'prompt', value: around }) as const

/** Until admins set something else; prices as they were seen in September 2026. */
export const defaultSettings: Readonly<Record<'fal' | 'replicate', HostedSettings>> = {
  fal: {
    enabled: true,
    budgetDay: 10,
    budgetMonth: 100,
    models: [
      {
        task: 'background',
        target: 'fal-ai/flux-pro/kontext',
        input: {
          image_url: picture,
          prompt: words(
            'Remove everybody and everything in front. Show only the empty place, a photograph of: {prompt}',
          ),
          seed: { from: 'seed' },
        },
        output: 'images.0.url',
        price: 0.04,
        timeLimit: 300,
      },
      {
        task: 'cartoon',
        target: 'fal-ai/image-editing/cartoonify',
        input: { image_url: picture, seed: { from: 'seed' } },
        output: 'images.0.url',
        price: 0.04,
        timeLimit: 300,
      },
    ],
  },
  replicate: {
    enabled: true,
    budgetDay: 10,
    budgetMonth: 100,
    models: [
      {
        task: 'background',
        target: 'black-forest-labs/flux-kontext-pro',
        input: {
          input_image: picture,
          prompt: words(
            'Remove everybody and everything in front. Show only the empty place, a photograph of: {prompt}',
          ),
          seed: { from: 'seed' },
          output_format: value('png'),
        },
        output: '',
        price: 0.04,
        timeLimit: 300,
      },
      {
        task: 'cartoon',
        target: 'flux-kontext-apps/cartoonify',
        input: { input_image: picture },
        output: '',
        price: 0.04,
        timeLimit: 300,
      },
    ],
  },
}

/** The value at a path such as `images.0.url`; a list alone stands for its first entry. */
export function outputAt(output: Json, path: string): string | undefined {
  let found: Json | undefined = output
  for (const step of path.split('.').filter(Boolean)) {
    found = typeof found === 'object' && found !== null ? (found as Record<string, Json>)[step] : undefined
  }
  const first = Array.isArray(found) ? found[0] : found
  return typeof first === 'string' ? first : undefined
}
