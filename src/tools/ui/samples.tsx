import { atom, useAtomValue } from 'jotai'
import { ImageIcon } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { trustScript } from '#client/trusted-script.ts'
import { ChoiceRow, choiceCaption, choiceTile } from './controls.tsx'
import type { Sample } from './serve-samples.ts'

/** Shows an icon where there is no sample of the user's own picture yet. */
export function SampleChoice<Value extends string>({
  label,
  choices,
  value,
  onChange,
  samples,
  portrait = false,
}: {
  label: string
  choices: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
  samples: Readonly<Partial<Record<Value, string>>>
  /** Samples are 3:4 instead of square. */
  portrait?: boolean
}) {
  return (
    <ChoiceRow
      label={label}
      className={`lg:grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] ${portrait ? 'gap-1.5' : 'gap-1'}`}
    >
      {(Object.keys(choices) as Value[]).map((own) => (
        <SampleButton
          key={own}
          name={choices[own]}
          sample={samples[own]}
          chosen={value === own}
          onChoose={() => onChange(own)}
          portrait={portrait}
        />
      ))}
    </ChoiceRow>
  )
}

/** `icon` stands in for a missing sample. */
export function SampleButton({
  name,
  sample,
  chosen,
  onChoose,
  portrait = false,
  icon = <ImageIcon aria-hidden className="size-5 text-muted" />,
}: {
  name: string | undefined
  sample?: string | undefined
  chosen: boolean
  onChoose: () => void
  portrait?: boolean
  icon?: ReactNode
}) {
  return (
    <button type="button" aria-pressed={chosen} onClick={onChoose} className={choiceTile}>
      <span
        className={`grid w-[min(4rem,18vmin)] place-items-center lg:w-full overflow-hidden rounded-xl bg-base-200 ring-1 ring-base-content/15 ring-inset group-aria-pressed:outline-2 group-aria-pressed:outline-primary group-aria-pressed:outline-offset-2 ${portrait ? 'aspect-3/4' : 'aspect-square'}`}
      >
        {sample ? <img src={sample} alt="" className="size-full object-cover" /> : icon}
      </span>
      <span className={choiceCaption}>{name}</span>
    </button>
  )
}

/**
 * Samples appear one by one, once for each order. Empty without an order, and where the browser
 * cannot draw in a worker.
 */
export function useSamples<Name extends string>(
  workerUrl: string,
  order: SampleOrder | undefined,
): Partial<Record<Name, string>> {
  const drawing = useAtomValue(drawingsAtom)[workerUrl]
  useEffect(() => {
    if (order !== undefined) drawSamples(workerUrl, order)
  }, [workerUrl, order])
  return samplesFor(drawing, order) as Partial<Record<Name, string>>
}

/** A photograph, findings of its check, or null for a generic figure. */
export type SampleOrder = string | Blob | null

type Samples = Readonly<Record<string, string>>

interface Drawing {
  order: SampleOrder
  worker: Worker
  samples: Samples
}

/** By address of the worker: panels are unmounted while the photo stays. */
export const drawingsAtom = atom<Readonly<Record<string, Drawing | undefined>>>({})

/** Does nothing if the worker has already drawn this order. */
export function drawSamples(workerUrl: string, order: SampleOrder): void {
  const before = store.get(drawingsAtom)[workerUrl]
  if (before?.order === order) return
  before?.worker.terminate()
  const worker = new Worker(trustScript('rupa-samples', workerUrl), { type: 'module', name: 'samples' })
  const keep = (drawing: Drawing | undefined) => store.set(drawingsAtom, (all) => ({ ...all, [workerUrl]: drawing }))
  let samples = samplesFor(before, order)
  keep({ order, worker, samples })
  worker.onmessage = ({ data: { name, url } }: MessageEvent<Sample>) => {
    samples = { ...samples, [name]: url }
    keep({ order, worker, samples })
  }
  // The worker could not be loaded; reopening the panel tries again.
  worker.onerror = () => keep(undefined)
  worker.postMessage(order)
}

onSignOut('samples', () => {
  for (const drawing of Object.values(store.get(drawingsAtom))) drawing?.worker.terminate()
  store.set(drawingsAtom, {})
})

/** Generic samples until the findings are drawn. */
export function samplesFor(drawing: Drawing | undefined, order: SampleOrder | undefined): Samples {
  if (!drawing) return {}
  const fits = drawing.order === order || (drawing.order === null && typeof order === 'string')
  return fits ? drawing.samples : {}
}
