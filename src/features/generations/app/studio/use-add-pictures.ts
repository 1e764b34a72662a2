import { useLingui } from '@lingui/react/macro'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { deliveriesAtom, saveDraft, takeDraft } from '#app/draft.ts'
import type { AnyToolPage } from '#tools/page.ts'
import { type ChosenPicture, choosePicture } from '../picture.ts'
import { problemWords } from '../words.ts'
import { askedInputs, distribute, maxFiles } from './inputs.ts'
import { noPictures, studioStateOf } from './studio-state.ts'
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

/** Adds pictures to the studio: picked, dropped, pasted, shared, or carried over from another page. */
export function useAddPictures(page: AnyToolPage): AddingPictures {
  const { t, i18n } = useLingui()
  const [state, setState] = useAtom(studioStateOf(page))
  const [search, setSearch] = useSearchParams()
  const deliveries = useAtomValue(deliveriesAtom)
  const max = askedInputs(page).reduce((sum, [name]) => sum + maxFiles(page.facts, name), 0)
  // The server had to turn away what was shared from another app before the service worker was there.
  const [problems, setProblems] = useState<string[]>(() =>
    search.get('shared') === '0'
      ? [t`Foto yang kamu bagikan belum bisa diterima. Pilih lagi fotonya di sini, ya.`]
      : [],
  )
  useEffect(() => {
    // Shown once, also when the page is loaded again.
    if (search.has('shared')) setSearch({}, { replace: true })
  }, [search, setSearch])

  async function choose(files: File[], input?: string) {
    if (files.length === 0) return
    const started = state.runs.length > 0 || search.has('result')
    const sentences = new Set<string>()
    const chosen: ChosenPicture[] = []
    for (const file of files.slice(0, max)) {
      const picture = await choosePicture(file)
      if (typeof picture === 'string') sentences.add(i18n._(problemWords[picture]))
      else chosen.push(picture)
    }
    const { left } = distribute(page, started ? {} : state.inputs, chosen, input)
    if (left > 0 || files.length > max) sentences.add(t`Paling banyak ${max} foto sekaligus. Sisanya tidak ikut.`)
    setProblems([...sentences])
    if (chosen.length === 0) return
    if (started) setSearch({})
    setState((now) => ({
      ...now,
      ...(started && noPictures),
      inputs: distribute(page, started ? {} : now.inputs, chosen, input).inputs,
      stage: null,
      mask: null,
    }))
  }

  // What was chosen before signing up or on the home page, shared or opened from elsewhere, arrives here.
  const onDraft = useEffectEvent((files: File[]) => void choose(files))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a delivery is looked for when there is one
  useEffect(() => {
    let mounted = true
    void takeDraft(page.facts.id).then((draft) => {
      if (!draft) return
      if (mounted) onDraft(draft.files)
      else void saveDraft(draft)
    })
    return () => {
      mounted = false
    }
  }, [page.facts.id, deliveries])

  const over = usePageDrop((files) => void choose(files))
  return { problems, forget: () => setProblems([]), choose, over }
}
