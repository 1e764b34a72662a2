import type { PhotoCheckView } from '#tools/contract/views.ts'
import { useObjectUrls } from '#tools/ui/object-url.ts'
import type { AnyToolPage, ToolFile, ToolFiles } from '#tools/ui/page.ts'
import type { GenerationView } from '../../schemas.ts'
import { type ChosenPicture, sizeToSend } from '../picture.ts'
import { mainInput } from './inputs.ts'
import type { StudioState } from './studio-state.ts'

type Chosen = Pick<StudioState, 'inputs' | 'shrink'>

const toolFile = (picture: ChosenPicture, shrink: boolean, url: string | null): ToolFile => ({
  id: picture.id,
  name: picture.name,
  url: picture.size ? url : null,
  size: sizeToSend(picture, shrink),
  contentType: picture.original.type,
})

/** `urlOf` returns addresses of visible pictures. */
export function toolFiles(
  { inputs, shrink }: Chosen,
  urlOf: (picture: ChosenPicture) => string | null = () => null,
): ToolFiles {
  const entries = Object.entries(inputs).map(
    ([name, pictures]) => [name, pictures.map((picture) => toolFile(picture, shrink, urlOf(picture)))] as const,
  )
  return Object.fromEntries(entries)
}

/** Addresses are valid while the component is mounted. */
export function useToolFiles(chosen: Chosen): ToolFiles {
  const pictures = Object.values(chosen.inputs).flat()
  const urlOf = useObjectUrls(
    pictures.map(({ original }) => original),
    pictures.map(({ id }) => id).join(),
  )
  return toolFiles(chosen, ({ original }) => urlOf(original))
}

export function resultFiles({ inputs }: Pick<GenerationView, 'inputs'>): ToolFiles {
  const files: Record<string, ToolFile[]> = {}
  for (const { input, id, name, url, width, height, contentType } of inputs) {
    files[input] = [...(files[input] ?? []), { id, name, url, size: { width, height }, contentType }]
  }
  return files
}

export const countFiles = (inputs: Readonly<Partial<Record<string, readonly unknown[]>>>): Record<string, number> =>
  Object.fromEntries(Object.entries(inputs).map(([name, files]) => [name, files?.length ?? 0]))

/** Coordinates are in the pixels that are sent. */
export function runParams(
  { definition, stage }: Pick<AnyToolPage, 'definition' | 'stage'>,
  state: Pick<StudioState, 'inputs' | 'params' | 'stage' | 'shrink'>,
  check: PhotoCheckView | null,
): Record<string, unknown> {
  const files = toolFiles(state)
  const size = files[mainInput(definition)]?.[0]?.size
  if (!stage || state.stage === null || !size) return state.params
  return { ...state.params, ...stage.params(state.stage, size, files, check) }
}
