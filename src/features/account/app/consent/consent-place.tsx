import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import { loadPageTexts } from '#client/i18n.ts'
import { questionAtom } from './consent-question.ts'

const Dialog = lazy(async () => {
  const [{ ConsentDialog }] = await Promise.all([import('./consent-dialog.tsx'), loadPageTexts()])
  return { default: ConsentDialog }
})

/** The place where consents are asked for; its text comes when it is needed. */
export function ConsentPlace() {
  const question = useAtomValue(questionAtom)
  return <Suspense>{question && <Dialog kind={question.kind} />}</Suspense>
}
