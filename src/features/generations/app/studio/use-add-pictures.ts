import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { chooseFile } from '../decode-picture.ts'
import type { DraftFile } from '../draft.ts'
import { problemLabels } from '../labels.ts'
import { askedInputs, kindFor, maxFiles, takesVideo } from './inputs.ts'
import { withPicked } from './studio-reducer.ts'
import type { StudioSettings, StudioState } from './studio-state.ts'
import { useDraft } from './use-draft.ts'
import { usePageDrop } from './use-page-drop.ts'
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
