import type { TaskName } from '#engine/task-types.ts'
import type { Json } from '#shared/schema.ts'

/** Source of a model's input field: a part of the task's work, or a constant. */
export interface ModelInput {
  from:
    | ('picture' | 'mask' | 'matte' | 'reference' | 'prompt' | 'seed')
    | ('width' | 'height' | 'factor' | 'strength' | 'value')
  /** For `value`; or the text around `{prompt}` of `prompt`. */
  value?: string | number | boolean | null
  /** Black marks the region to repaint. */
  inverted?: boolean
}

/** Tasks whose result is one picture by a service. */
export type HostedTask = Exclude<TaskName, 'selectObject' | 'depth' | 'parseFace' | 'safety' | 'videoMatte'>

export interface HostedModel {
  task: HostedTask
  /** The service's name of the model: `owner/name`, or a version. */
  target: string
  input: Record<string, ModelInput>
  /** Path of the picture's address (`images.0.url`); empty for the output itself. */
  output: string
  /** Expected cost of a job in US dollars. */
  price: number
  /** Seconds after which a job is given up. */
  timeLimit: number
}

export interface HostedSettings {
  enabled: boolean
  /** US dollars; null: unlimited. */
  budgetDay: number | null
  budgetMonth: number | null
  models: HostedModel[]
}

const picture = { from: 'picture' } as const
/** For an editing model; `{prompt}` is the text of the user or the tool. */
const prompts: Partial<Record<HostedTask, string>> = {
  background: 'Remove all people and objects in front. Show only the empty place, a photograph of: {prompt}',
  portrait: '{prompt}. Keep the face, hair, skin tone, age and expression exactly as they are. A photograph.',
  outfit: 'Change only the clothes: {prompt}. Keep face, hair, pose, framing and background exactly as they are.',
  cartoon: 'Redraw this picture as {prompt}. Keep the pose, the framing and what makes each face recognisable.',
  edit: '{prompt}. Change nothing else: keep faces, poses, framing and light exactly as they are.',
  restorePhoto:
    'Restore and colorize this old photograph: natural colours, no scratches, dust or folds. Keep faces and framing.',
}
/** FLUX.1 Kontext, an editing model, for all of these. */
const kontext = (of: Pick<HostedModel, 'target' | 'output'> & { picture: string; more?: HostedModel['input'] }) =>
  Object.entries(prompts).map(([task, value]): HostedModel => {
    const input = {
      [of.picture]: picture,
      prompt: { from: 'prompt', value },
      seed: { from: 'seed' },
      ...of.more,
    } as const
    return { task: task as HostedTask, target: of.target, input, output: of.output, price: 0.04, timeLimit: 300 }
  })

/** Defaults until admins change them; prices as of September 2026. */
export const defaultSettings: Readonly<Record<'fal' | 'replicate', HostedSettings>> = {
  fal: {
    enabled: true,
    budgetDay: 10,
    budgetMonth: 100,
    models: [
      ...kontext({ target: 'fal-ai/flux-pro/kontext', picture: 'image_url', output: 'images.0.url' }),
      {
        task: 'addDetail',
        target: 'fal-ai/clarity-upscaler',
        input: { image_url: picture, upscale_factor: { from: 'factor' }, seed: { from: 'seed' } },
        output: 'image.url',
        // 0.03 a megapixel; a result has at most four.
        price: 0.12,
        timeLimit: 300,
      },
    ],
  },
  replicate: {
    enabled: true,
    budgetDay: 10,
    budgetMonth: 100,
    models: [
      ...kontext({
        target: 'black-forest-labs/flux-kontext-pro',
        picture: 'input_image',
        more: { output_format: { from: 'value', value: 'png' } },
        output: '',
      }),
      {
        task: 'addDetail',
        target: 'philz1337x/clarity-upscaler:dfad41707589d68ecdccd1dfa600d55a208f9310748e44bfe35b4a6291453d5e',
        input: {
          image: picture,
          scale_factor: { from: 'factor' },
          seed: { from: 'seed' },
          output_format: { from: 'value', value: 'png' },
        },
        output: '',
        price: 0.05,
        timeLimit: 300,
      },
    ],
  },
}

/** Value at a path such as `images.0.url`; a list alone stands for its first entry. */
export function outputAt(output: Json, path: string): string | undefined {
  let found: Json | undefined = output
  for (const step of path.split('.').filter(Boolean)) {
    found = typeof found === 'object' && found !== null ? (found as Record<string, Json>)[step] : undefined
  }
  const first = Array.isArray(found) ? found[0] : found
  return typeof first === 'string' ? first : undefined
}
