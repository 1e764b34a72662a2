import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import type { ConsentKind } from '../../rules.ts'

interface Question {
  kind: ConsentKind
  /** Who would be sent pictures. */
  service: string | undefined
  answer: (given: boolean) => void
}

/** The question that stands on the screen. */
export const questionAtom = atom<Question | null>(null)

/** Ends the question on the screen. */
export function answerQuestion(given: boolean): void {
  store.get(questionAtom)?.answer(given)
  store.set(questionAtom, null)
}

onSignOut('consent question', () => answerQuestion(false))

/** Puts the question; resolves to what the person answers. */
export function askForConsent(kind: ConsentKind, service?: string): Promise<boolean> {
  answerQuestion(false)
  return new Promise((answer) => store.set(questionAtom, { kind, service, answer }))
}
