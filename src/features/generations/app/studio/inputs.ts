import type { AnyToolPage } from '#tools/page.ts'
import type { FileFacts, InputSpec, RunFacts } from '#tools/tool.ts'
import { type ChosenPicture, sendSize } from '../picture.ts'
import type { StudioState } from './studio-state.ts'

type Facts = AnyToolPage['facts']
type Inputs = Readonly<Record<string, readonly ChosenPicture[]>>

/** The input that a tool's first picture is for. */
export function mainInput({ inputs }: Pick<Facts, 'inputs'>): string {
  return Object.keys(inputs)[0] as string
}

/** An input that is drawn over the first picture instead of chosen, such as a mask. */
export function drawnInput({ inputs }: Pick<Facts, 'inputs'>): string | undefined {
  return Object.keys(inputs).find((name) => inputs[name]?.kind === 'plane')
}

/** The inputs that the studio asks for: all but those that the tool's panel asks for and those that are drawn. */
export function askedInputs({
  facts,
  panelInputs = [],
}: Pick<AnyToolPage, 'facts' | 'panelInputs'>): [string, InputSpec][] {
  return Object.entries(facts.inputs).filter(([name, { kind }]) => kind !== 'plane' && !panelInputs.includes(name))
}

/** How many files may be chosen for an input; where several mean several runs, for all of these together. */
export function maxFiles({ inputs, batch }: Pick<Facts, 'inputs' | 'batch'>, name: string): number {
  const max = inputs[name]?.max ?? 0
  return batch?.input === name ? Math.max(batch.max, max) : max
}

/** Puts further files where there is space: into the named input, else into the tool's inputs in their order. */
export function distribute(
  page: Pick<AnyToolPage, 'facts' | 'panelInputs'>,
  inputs: Inputs,
  chosen: readonly ChosenPicture[],
  wanted?: string,
): { inputs: Inputs; left: number } {
  const names = wanted === undefined ? askedInputs(page).map(([name]) => name) : [wanted]
  const next: Record<string, readonly ChosenPicture[]> = { ...inputs }
  let rest = [...chosen]
  for (const name of names) {
    const held = next[name] ?? []
    const space = maxFiles(page.facts, name) - held.length
    if (space <= 0 || rest.length === 0) continue
    next[name] = [...held, ...rest.slice(0, space)]
    rest = rest.slice(space)
  }
  return { inputs: next, left: rest.length }
}

/** The first input that has too few files yet, or undefined when a run can start. */
export function missingInput(facts: Facts, inputs: Inputs): InputSpec | undefined {
  return Object.entries(facts.inputs).find(([name, { min }]) => (inputs[name]?.length ?? 0) < min)?.[1]
}

/** The inputs of each run: one a file of the batch input where the tool has one, else all in one run. */
export function runsOf({ batch, inputs: specs }: Pick<Facts, 'batch' | 'inputs'>, inputs: Inputs): Inputs[] {
  if (!batch) return [inputs]
  const each = specs[batch.input]?.max ?? 1
  const files = inputs[batch.input] ?? []
  const runs: Inputs[] = []
  for (let i = 0; i < files.length; i += each) runs.push({ ...inputs, [batch.input]: files.slice(i, i + each) })
  return runs
}

/** What is known of a run before it is sent, from which its price follows. */
export function runFacts(
  facts: Pick<Facts, 'inputs'>,
  inputs: Inputs,
  { shrink, mask }: Pick<StudioState, 'shrink' | 'mask'>,
): RunFacts {
  const factsOf = ({ size, original }: ChosenPicture): FileFacts => ({
    ...(size ? (shrink ? sendSize(size) : size) : { width: 0, height: 0 }),
    seconds: 0,
    bytes: original.size,
    contentType: original.type,
  })
  const known = Object.keys(facts.inputs).map((name) => [name, (inputs[name] ?? []).map(factsOf)] as const)
  const drawn = drawnInput(facts)
  const first = inputs[mainInput(facts)]?.[0]
  // What is drawn is sent as a file of the first picture's size.
  const plane = drawn && first && mask?.history.strokes.length ? [[drawn, [factsOf(first)]] as const] : []
  return { inputs: Object.fromEntries([...known, ...plane]) }
}
