import { atom, type PrimitiveAtom } from 'jotai'
import { holdBusy } from '#app/offline/busy.ts'
import { onSignOut, store } from '#app/session.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import type { ShareBox } from '../geometry.ts'
import type { ChosenPicture } from '../picture.ts'

/** Most pictures that are taken at once. */
export const mostPictures = 20

/** What lies on a tool's table while somebody works; it stays when they look at another page. */
export interface Desk {
  pictures: ChosenPicture[]
  params: Record<string, unknown>
  /** Further files by the names of the tool's extras. */
  files: Partial<Record<string, Blob>>
  /** The area marked on the picture, if any. */
  area: ShareBox | null
  /** Whether large pictures are made smaller before they are sent. */
  shrink: boolean
  /** What was started from here and is still looked at. */
  runs: Run[]
}

/** What becomes different on the table; a function is given what lies there by then. */
export type DeskChange = Partial<Desk> | ((now: Desk) => Partial<Desk>)

/** A picture that was sent: its upload, and its generation once it has arrived. */
export interface Run {
  picture: string
  upload: string
  generation: string | null
}

const storageKey = (tool: string) => `options:${tool}`

/** The options used last; only what the tool still knows, and never what needs a file that is gone. */
function rememberedParams({ facts }: AnyToolPanel): Record<string, unknown> {
  const params = { ...facts.defaults }
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(facts.id)) ?? '{}') as Record<string, unknown>
    for (const [name, value] of Object.entries(stored)) {
      const known = facts.defaults[name]
      if (known !== undefined && typeof value === typeof known && !needsFile(value)) params[name] = value
    }
  } catch {
    // Damaged or forbidden storage: the defaults are good.
  }
  return params
}

const needsFile = (value: unknown) =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'image'

export function rememberParams(tool: string, params: Record<string, unknown>): void {
  try {
    localStorage.setItem(storageKey(tool), JSON.stringify(params))
  } catch {
    // A full or forbidden storage only costs the memory of options.
  }
}

const desks = new Map<string, { desk: PrimitiveAtom<Desk>; empty: () => Desk }>()

/** The table of a tool. */
export function deskOf(panel: AnyToolPanel): PrimitiveAtom<Desk> {
  const known = desks.get(panel.facts.id)
  if (known) return known.desk
  const empty = (): Desk => ({
    pictures: [],
    params: rememberedParams(panel),
    files: {},
    area: null,
    shrink: true,
    runs: [],
  })
  const desk = atom(empty())
  desks.set(panel.facts.id, { desk, empty })
  holdBusyWhile(desk)
  return desk
}

/** Pictures that are not sent yet lie in memory only: nothing may reload the app, whatever page somebody looks at. */
function holdBusyWhile(desk: PrimitiveAtom<Desk>): void {
  let release: (() => void) | undefined
  store.sub(desk, () => {
    const { pictures, runs } = store.get(desk)
    const unsent = pictures.length > 0 && runs.length === 0
    if (unsent) release ??= holdBusy()
    else {
      release?.()
      release = undefined
    }
  })
}

/** What is cleared to begin with another picture; options stay. */
export const freshPictures = { pictures: [], files: {}, area: null, runs: [] } satisfies Partial<Desk>

onSignOut(() => {
  for (const { desk, empty } of desks.values()) store.set(desk, empty())
})
