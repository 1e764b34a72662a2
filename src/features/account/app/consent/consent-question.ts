import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import type { ConsentKind } from '#shared/consent.ts'

interface Question {
  kind: ConsentKind
  service: string | undefined
  answer: (given: boolean) => void
}

export const questionAtom = atom<Question | null>(null)

export function answerQuestion(given: boolean): void {
  store.get(questionAtom)?.answer(given)
  store.set(questionAtom, null)
}

onSignOut('consent question', () => answerQuestion(false))

export function showConsentDialog(kind: ConsentKind, service?: string): Promise<boolean> {
  answerQuestion(false)
  return new Promise((answer) => store.set(questionAtom, { kind, service, answer }))
}
