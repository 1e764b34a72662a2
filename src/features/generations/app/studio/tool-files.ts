import { useObjectUrls } from '#tools/ui/object-url.ts'
import type { ToolFile, ToolFiles } from '#tools/ui/page.ts'
import type { GenerationView } from '../../types.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { sizeToSend } from '../picture.ts'
import type { StudioState } from './studio-state.ts'

type Chosen = Pick<StudioState, 'inputs' | 'shrink'>

const toolFile = (picture: ChosenPicture, shrink: boolean, url: string | null): ToolFile => ({
  id: picture.id,
  name: picture.name,
  url: picture.size ? url : null,
  size: sizeToSend(picture, shrink),
  contentType: picture.original.type,
})

/**
 * The chosen files as a tool's stage knows them; `urlOf` finds the addresses of those that are
 * shown.
 */
export function toolFiles(
  { inputs, shrink }: Chosen,
  urlOf: (picture: ChosenPicture) => string | null = () => null,
): ToolFiles {
  const entries = Object.entries(inputs).map(
    ([name, pictures]) => [name, pictures.map((picture) => toolFile(picture, shrink, urlOf(picture)))] as const,
  )
  return Object.fromEntries(entries)
}

/** The same with addresses, which hold while the component shows them. */
export function useToolFiles(chosen: Chosen): ToolFiles {
  const pictures = Object.values(chosen.inputs).flat()
  const urlOf = useObjectUrls(
    pictures.map(({ original }) => original),
    pictures.map(({ id }) => id).join(),
  )
  return toolFiles(chosen, ({ original }) => urlOf(original))
}

/** The files a finished result was made from. */
export function resultFiles({ inputs }: Pick<GenerationView, 'inputs'>): ToolFiles {
  const files: Record<string, ToolFile[]> = {}
  for (const { input, id, name, url, width, height, contentType } of inputs) {
    files[input] = [...(files[input] ?? []), { id, name, url, size: { width, height }, contentType }]
  }
  return files
}

/** How many files each input has. */
export const countFiles = (inputs: Readonly<Partial<Record<string, readonly unknown[]>>>): Record<string, number> =>
  Object.fromEntries(Object.entries(inputs).map(([name, files]) => [name, files?.length ?? 0]))
