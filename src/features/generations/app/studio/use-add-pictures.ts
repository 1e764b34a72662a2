import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { DraftFile } from '../draft.ts'
import { problemLabels } from '../labels.ts'
import type { ChosenPicture } from '../picture.ts'
import { askedInputs, kindFor, maxFiles, takesVideo } from './inputs.ts'
import { withPicked } from './studio-reducer.ts'
import type { StudioSettings, StudioState } from './studio-state.ts'
import { useDraft } from './use-draft.ts'
import type { Dispatch } from './use-studio.ts'

/** Adds pictures to the studio: picked, dropped, pasted, shared, or kept from before. */
export function useAddPictures(page: AnyToolPage, state: StudioState, dispatch: Dispatch) {
  const { t, i18n } = useLingui()
  const [search, setSearch] = useSearchParams()
  const max = askedInputs(page).reduce((sum, [name]) => sum + maxFiles(page.definition, name), 0)
  // The server had to turn away what was shared from another app before the service worker was
  // there.
  const [problems, setProblems] = useState<string[]>(() =>
    search.get('shared') === '0'
      ? [t`Foto yang kamu bagikan belum bisa diterima. Pilih lagi fotonya di sini, ya.`]
      : [],
  )
  useEffect(() => {
    // Shown once, also when the page is loaded again.
    if (search.has('shared')) setSearch({}, { replace: true })
  }, [search, setSearch])

  /** `afresh`: in place of what is here. */
  async function take(files: readonly DraftFile[], afresh: boolean, settings?: Partial<StudioSettings>) {
    if (files.length === 0) return
    const { chooseFile } = await import('../decode-picture.ts')
    const sentences = new Set<string>()
    const chosen = new Map<string | undefined, ChosenPicture[]>()
    for (const { file, input, id, output } of files.slice(0, max)) {
      const picture = await chooseFile(file, kindFor(page, file, input))
      if (typeof picture === 'string') {
        sentences.add(i18n._(problemLabels[picture]))
        continue
      }
      // What was drawn in it before is found by its id.
      const known = { ...(id && { id }), ...(output && { output }) }
      chosen.set(input, [...(chosen.get(input) ?? []), { ...picture, ...known }])
    }
    const picked = [...chosen].map(([input, pictures]) => ({ input, pictures }))
    if (withPicked(page, afresh ? {} : state.inputs, picked).left > 0 || files.length > max) {
      sentences.add(
        takesVideo(page.definition)
          ? t`Satu video sekali jalan. Sisanya tidak ikut.`
          : t`${plural(max, { other: 'Paling banyak # foto sekaligus. Sisanya tidak ikut.' })}`,
      )
    }
    setProblems([...sentences])
    if (picked.length === 0) return
    if (search.has('result')) setSearch({})
    dispatch({ type: 'picked', picked, afresh, ...(settings && { settings }) })
  }
  const choose = (files: File[], { input, afresh = false }: { input?: string | undefined; afresh?: boolean } = {}) =>
    take(
      files.map((file) => (input === undefined ? { file } : { file, input })),
      afresh || search.has('result'),
    )

  useDraft(page, state, !search.has('result'), ({ files, settings }) => {
    const here = new Set(Object.values(state.inputs).flatMap((pictures) => pictures.map(({ id }) => id)))
    // Kept while somebody signed in, say, and never left this page.
    if (files.every(({ id }) => id !== undefined && here.has(id))) return
    void take(files, true, isSettings(settings) ? settings : undefined)
  })
  const over = usePageDrop((files) => void choose(files))
  return {
    /** Sentences about what could not be taken. */
    problems,
    forget: () => setProblems([]),
    /** Adds files to an input, or to whichever has space. */
    choose,
    /** Whether something is being dragged over the page. */
    over,
  }
}

/** Whether what a draft brought along are a studio's settings. */
const isSettings = (value: unknown): value is StudioSettings =>
  typeof value === 'object' && value !== null && 'params' in value && 'stage' in value

/**
 * Takes files dropped anywhere on the page or pasted into it; returns whether something is being
 * dragged over it.
 */
function usePageDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((list: FileList | undefined) => {
    if (list && list.length > 0) onFiles([...list])
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    let depth = 0
    const enter = (change: number) => {
      depth = Math.max(0, depth + change)
      setOver(depth > 0)
    }
    const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
    window.addEventListener('dragenter', (event) => carriesFiles(event) && enter(1), { signal })
    window.addEventListener('dragleave', () => enter(-1), { signal })
    window.addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault(), { signal })
    window.addEventListener(
      'drop',
      (event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        enter(-depth)
        take(event.dataTransfer?.files)
      },
      { signal },
    )
    window.addEventListener('paste', (event) => take(event.clipboardData?.files), { signal })
    return () => listening.abort()
  }, [])
  return over
}
