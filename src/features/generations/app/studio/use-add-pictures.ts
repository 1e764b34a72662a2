import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { chooseFile } from '../decode-picture.ts'
import { type Draft, type DraftFile, deliverDraft, deliveriesAtom, takeDraft } from '../draft.ts'
import { problemLabels } from '../labels.ts'
import { askedInputs, distribute, kindFor, mainInput, maxFiles, takesVideo } from './inputs.ts'
import { takeUnsent, useKeepPictures } from './keep-pictures.ts'
import { hasPictures, isSettings, noPictures, type StudioState, studioStateOf } from './studio-state.ts'
import { usePageDrop } from './use-page-drop.ts'

interface AddingPictures {
  /** Sentences about what could not be taken. */
  problems: string[]
  forget: () => void
  /** Adds files to an input, or to whichever has space. */
  choose: (files: File[], input?: string) => Promise<void>
  /** Whether something is being dragged over the page. */
  over: boolean
}

/**
 * Adds pictures to the studio: picked, dropped, pasted, shared, or carried over from another page.
 */
export function useAddPictures(page: AnyToolPage): AddingPictures {
  const { t, i18n } = useLingui()
  const [state, setState] = useAtom(studioStateOf(page))
  const [search, setSearch] = useSearchParams()
  const deliveries = useAtomValue(deliveriesAtom)
  const max = askedInputs(page).reduce((sum, [name]) => sum + maxFiles(page.facts, name), 0)
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

  async function take(files: readonly DraftFile[], settings?: Partial<StudioState>) {
    if (files.length === 0) return
    const started = state.runs.length > 0 || search.has('result')
    const sentences = new Set<string>()
    const chosen = new Map<string | undefined, ChosenPicture[]>()
    const here = new Set(Object.values(state.inputs).flatMap((pictures) => pictures.map(({ id }) => id)))
    for (const { file, input, id, output } of files.slice(0, max)) {
      const picture = await chooseFile(file, kindFor(page, file, input))
      if (typeof picture === 'string') {
        sentences.add(i18n._(problemLabels[picture]))
        continue
      }
      // What was drawn in it before is found by its id.
      const known = id !== undefined && !here.has(id) ? { id } : {}
      chosen.set(input, [...(chosen.get(input) ?? []), { ...picture, ...known, ...(output && { output }) }])
    }
    const put = (before: StudioState['inputs']) => {
      let [inputs, left] = [started ? {} : before, 0]
      for (const [input, pictures] of chosen) {
        const next = distribute(page, inputs, pictures, input)
        inputs = next.inputs
        left += next.left
      }
      return { inputs, left }
    }
    if (put(state.inputs).left > 0 || files.length > max) {
      sentences.add(
        takesVideo(page.facts)
          ? t`Satu video sekali jalan. Sisanya tidak ikut.`
          : t`${plural(max, { other: 'Paling banyak # foto sekaligus. Sisanya tidak ikut.' })}`,
      )
    }
    setProblems([...sentences])
    if (chosen.size === 0) return
    if (started) setSearch({})
    setState((now) => {
      const { inputs } = put(now.inputs)
      // What was drawn belongs to the first picture.
      const first = (of: StudioState['inputs']) => of[mainInput(page.facts)]?.[0]?.id
      const drawn = started || first(inputs) !== first(now.inputs) ? { stage: null, mask: null } : {}
      return { ...now, ...(started && noPictures), inputs, ...drawn, ...settings }
    })
  }
  const choose = (files: File[], input?: string) =>
    take(files.map((file) => (input === undefined ? { file } : { file, input })))

  // What was chosen before signing up or on the home page, shared or opened from elsewhere, arrives
  // here.
  const onDraft = useEffectEvent(({ files, settings }: Draft) => {
    void take(files, isSettings(settings) ? settings : undefined)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a delivery is looked for when there is one
  useEffect(() => {
    let mounted = true
    const find = async () => {
      const unsent = hasPictures(state) ? null : await takeUnsent(page.facts.id)
      return (await takeDraft(page.facts.id)) ?? unsent
    }
    void find().then((draft) => {
      if (!draft) return
      if (mounted) onDraft(draft)
      // A delivery that came meanwhile has ended this look; the next one takes both.
      else void deliverDraft(draft)
    })
    return () => {
      mounted = false
    }
  }, [page.facts.id, deliveries])

  useKeepPictures(page, state)
  const over = usePageDrop((files) => void choose(files))
  return { problems, forget: () => setProblems([]), choose, over }
}
