import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import type { FileInfo, GenerationInfo, InputSpec, WarningCode } from '#tools/contract/tool.ts'
import { useObjectUrls } from '#tools/ui/object-url.ts'
import type { AnyToolPage, ToolFile, ToolFiles } from '#tools/ui/page.ts'
import type { GenerationView } from '../../schemas.ts'
import { type ChosenPicture, sizeToSend } from '../picture.ts'

/** By input name. */
export type Inputs = Readonly<Record<string, readonly ChosenPicture[]>>

interface Chosen {
  inputs: Inputs
  shrink: boolean
}

type Definition = AnyToolPage['definition']

export function mainInput({ inputs }: Pick<Definition, 'inputs'>): string {
  return Object.keys(inputs)[0] as string
}

export function takesVideo({ inputs }: Pick<Definition, 'inputs'>): boolean {
  return inputs[mainInput({ inputs })]?.kind === 'video'
}

/** Excludes inputs of the tool's panel, and planes, which the stage draws. */
export function askedInputs({
  definition,
  panelInputs = [],
}: Pick<AnyToolPage, 'definition' | 'panelInputs'>): [string, InputSpec][] {
  return Object.entries(definition.inputs).filter(([name, { kind }]) => kind !== 'plane' && !panelInputs.includes(name))
}

/** In batch tools the sum of all generations. */
export function maxFiles({ inputs, batch }: Pick<Definition, 'inputs' | 'batch'>, name: string): number {
  const max = inputs[name]?.max ?? 0
  return batch?.input === name ? Math.max(batch.max, max) : max
}

export const takesSeveral = (definition: Pick<Definition, 'inputs' | 'batch'>): boolean =>
  Object.keys(definition.inputs).some((name) => maxFiles(definition, name) > 1)

/** An input that accepts both kinds takes a video if the file looks like one. */
export function kindFor(
  page: Pick<AnyToolPage, 'definition' | 'panelInputs'>,
  { type }: Pick<File, 'type'>,
  input?: string,
): InputSpec['kind'] {
  const named = input === undefined ? undefined : page.definition.inputs[input]?.kind
  if (named) return named
  const kinds = askedInputs(page).map(([, { kind }]) => kind)
  const looksLike = type.startsWith('video/') ? 'video' : 'picture'
  return kinds.includes(looksLike) ? looksLike : (kinds[0] ?? 'picture')
}

export function missingInput(definition: Definition, inputs: Inputs): InputSpec | undefined {
  return Object.entries(definition.inputs).find(([name, { min }]) => (inputs[name]?.length ?? 0) < min)?.[1]
}

export function generationsOf(
  { batch, inputs: specs }: Pick<Definition, 'batch' | 'inputs'>,
  inputs: Inputs,
): Inputs[] {
  if (!batch) return [inputs]
  const each = specs[batch.input]?.max ?? 1
  const files = inputs[batch.input] ?? []
  const generations: Inputs[] = []
  for (let i = 0; i < files.length; i += each) generations.push({ ...inputs, [batch.input]: files.slice(i, i + each) })
  return generations
}

export function generationInfo(
  definition: Pick<Definition, 'inputs'>,
  inputs: Inputs,
  { shrink }: Pick<Chosen, 'shrink'>,
  check: PhotoCheckView | null = null,
): GenerationInfo {
  const infoOf = (picture: ChosenPicture): FileInfo => ({
    ...(sizeToSend(picture, shrink) ?? { width: 0, height: 0 }),
    seconds: picture.seconds ?? 0,
    bytes: picture.original.size,
    contentType: picture.original.type,
  })
  const known = Object.keys(definition.inputs).map((name) => [name, (inputs[name] ?? []).map(infoOf)] as const)
  return {
    inputs: Object.fromEntries(known),
    ...(check && { photoCheck: photoCheckInfo(check) }),
  }
}

function photoCheckInfo({ faces, warnings, checks, facts }: PhotoCheckView): NonNullable<GenerationInfo['photoCheck']> {
  return {
    faces,
    facts,
    warnings: warnings.map(({ code }) => code as WarningCode),
    checks: checks.map(({ code, status, measured, wanted }) => ({
      code,
      status,
      ...(measured !== null && { measured }),
      ...(wanted && { wanted }),
    })),
    // The screen shows problems in the server's words.
    problems: [],
  }
}

/** Accepted types of an input, or of all inputs that the studio asks for. */
export function acceptedTypes(page: Pick<AnyToolPage, 'definition' | 'panelInputs'>, input?: string): string {
  const asked = askedInputs(page).filter(([name]) => input === undefined || name === input)
  return [...new Set(asked.map(([, { kind }]) => (kind === 'video' ? 'video/*' : 'image/*')))].join(',')
}

export const picturesOf = ({ inputs }: Pick<Chosen, 'inputs'>): string =>
  Object.entries(inputs)
    .map(([name, pictures]) => `${name}:${pictures.map(({ id }) => id)}`)
    .join(';')

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
export function generationParams(
  { definition, stage }: Pick<AnyToolPage, 'definition' | 'stage'>,
  state: Chosen & { params: Record<string, unknown>; stage: unknown },
  check: PhotoCheckView | null,
): Record<string, unknown> {
  const files = toolFiles(state)
  const size = files[mainInput(definition)]?.[0]?.size
  if (!stage || state.stage === null || !size) return state.params
  return { ...state.params, ...stage.params(state.stage, size, files, check) }
}
