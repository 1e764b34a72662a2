import type { ImageFormat } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

export interface InstantEditParams {
  /** In Indonesian or English. */
  prompt: string
  /** Another number gives another draft. */
  seed: number
  format: ImageFormat
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type InstantEditInputs = typeof inputs

const tasks = { safe: 'safety', edited: 'edit' } as const satisfies TaskSpecs
export type InstantEditTasks = typeof tasks

export const maxPrompt = 500
export const maxSeed = 9999

/** Draft of a request to a designer. */
export const instantEdit: ToolDefinition<InstantEditParams, InstantEditInputs, 'instant-edit', InstantEditTasks> = {
  id: 'instant-edit',
  route: '/ai-instant-edit',
  label: /*i18n*/ { id: 'tool.instant-edit', message: 'Draf Instan AI' },
  unlisted: true,
  inputs,
  defaults: { prompt: '', seed: 1, format: 'jpeg' },
  renderParams: ['format'],
  tasks,
  adultsOnly: true,
  needs: () => ['edit'],
  words: 'prompt',
  problems: ({ prompt }) => (prompt.trim() === '' ? [{ path: 'prompt', code: 'instant-edit.prompt' }] : []),
  price: (unit) => unit,
  timeLimit: () => 60,
  defaultUnitPrice: 10,
}

export const instantEditOptions = ({ type }: SchemaParts) =>
  type({
    '+': 'reject',
    prompt: type(`string <= ${maxPrompt}`).default(''),
    seed: type(`1 <= number.integer <= ${maxSeed}`).default(1),
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  })
