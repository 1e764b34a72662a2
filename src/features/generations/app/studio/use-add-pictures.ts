import { useLingui } from '@lingui/react/macro'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { deliveriesAtom, saveDraft, takeDraft } from '#app/draft.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import { type ChosenPicture, choosePicture } from '../picture.ts'
import { problemWords } from '../words.ts'
import { freshPictures, maxPictures, studioStateOf } from './studio-state.ts'
import { usePageDrop } from './use-page-drop.ts'

interface AddingPictures {
  /** Sentences about what could not be taken. */
  problems: string[]
  forget: () => void
  choose: (files: File[]) => Promise<void>
  /** Whether something is being dragged over the page. */
  over: boolean
}

/** Adds pictures to the studio: picked, dropped, pasted, shared, or carried over from another page. */
export function useAddPictures(panel: AnyToolPanel): AddingPictures {
  const { t, i18n } = useLingui()
  const [state, setState] = useAtom(studioStateOf(panel))
  const [search, setSearch] = useSearchParams()
  const deliveries = useAtomValue(deliveriesAtom)
  // The server had to turn away what was shared from another app before the service worker was there.
  const [problems, setProblems] = useState<string[]>(() =>
    search.get('shared') === '0'
      ? [t`Foto yang kamu bagikan belum bisa diterima. Pilih lagi fotonya di sini, ya.`]
      : [],
  )
  useEffect(() => {
    // Told once, also when the page is loaded again.
    if (search.has('shared')) setSearch({}, { replace: true })
  }, [search, setSearch])

  async function choose(files: File[]) {
    if (files.length === 0) return
    const started = state.runs.length > 0 || search.has('result')
    const room = maxPictures - (started ? 0 : state.pictures.length)
    const sentences = new Set<string>()
    const chosen: ChosenPicture[] = []
    for (const file of files.slice(0, room)) {
      const picture = await choosePicture(file)
      if (typeof picture === 'string') sentences.add(i18n._(problemWords[picture]))
      else chosen.push(picture)
    }
    if (files.length > room) sentences.add(t`Paling banyak ${maxPictures} foto sekaligus. Sisanya tidak ikut.`)
    setProblems([...sentences])
    if (chosen.length === 0) return
    if (started) setSearch({})
    setState((now) => ({
      ...now,
      ...(started && freshPictures),
      pictures: [...(started ? [] : now.pictures), ...chosen].slice(0, maxPictures),
      area: null,
    }))
  }

  // What was chosen before signing up or on the home page, shared or opened from elsewhere, arrives here.
  const onDraft = useEffectEvent((files: File[]) => void choose(files))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a delivery is looked for when there is one
  useEffect(() => {
    let mounted = true
    void takeDraft(panel.facts.id).then((draft) => {
      if (!draft) return
      if (mounted) onDraft(draft.files)
      else void saveDraft(draft)
    })
    return () => {
      mounted = false
    }
  }, [panel.facts.id, deliveries])

  const over = usePageDrop((files) => void choose(files))
  return { problems, forget: () => setProblems([]), choose, over }
}
