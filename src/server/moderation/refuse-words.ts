import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { recordRefusal } from './record-refusal.ts'
import { refusedWords } from './refused-words.ts'

/** For texts that people read. Counts the refusal, and throws `content.words_refused`. */
export async function refuseWords(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  { userId, tool, fields }: { userId: string; tool: string; fields: Record<string, string> },
): Promise<void> {
  const [refused] = Object.entries(fields).filter(([, text]) => refusedWords(text).length > 0)
  if (!refused) return
  const [field, content] = refused
  await transact(deps.db, (tx) => recordRefusal(tx, deps, { userId, tool, kind: 'words', content }))
  throw appError('content.words_refused', { details: { [field]: 'content.words_refused' } })
}
