import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import { questionAtom } from './consent.ts'
import { loadPageTexts } from './i18n.ts'

const Dialog = lazy(async () => {
  const [{ ConsentDialog }] = await Promise.all([import('#features/account/app/consent-dialog.tsx'), loadPageTexts()])
  return { default: ConsentDialog }
})

/** The place where consents are asked for; its text comes when it is needed. */
export function ConsentQuestion() {
  const question = useAtomValue(questionAtom)
  return <Suspense>{question && <Dialog kind={question.kind} />}</Suspense>
}
