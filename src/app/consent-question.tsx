import { atom, useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import type { ConsentKind } from '#features/account/contract.ts'
import { loadPageTexts } from './i18n.ts'
import { onSignOut, store } from './session.ts'

interface Question {
  kind: ConsentKind
  answer: (given: boolean) => void
}

/** The question that stands on the screen. */
export const questionAtom = atom<Question | null>(null)

/** Ends the question on the screen. */
export function answerQuestion(given: boolean): void {
  store.get(questionAtom)?.answer(given)
  store.set(questionAtom, null)
}

onSignOut(() => answerQuestion(false))

/** Puts the question; resolves to what the person answers. */
export function askForConsent(kind: ConsentKind): Promise<boolean> {
  answerQuestion(false)
  return new Promise((answer) => store.set(questionAtom, { kind, answer }))
}

const Dialog = lazy(async () => {
  const [{ ConsentDialog }] = await Promise.all([import('#features/account/app/consent-dialog.tsx'), loadPageTexts()])
  return { default: ConsentDialog }
})

/** The place where consents are asked for; its text comes when it is needed. */
export function ConsentQuestion() {
  const question = useAtomValue(questionAtom)
  return <Suspense>{question && <Dialog kind={question.kind} />}</Suspense>
}
