import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { lazyWithTexts } from '#client/lazy.ts'
import { questionAtom } from './consent-question.ts'

const Dialog = lazyWithTexts(() => import('./consent-dialog.tsx'), 'ConsentDialog')

/** The place where consents are asked for; its text comes when it is needed. */
export function ConsentPlace() {
  const question = useAtomValue(questionAtom)
  return <Suspense>{question && <Dialog kind={question.kind} />}</Suspense>
}
