import { and, eq } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { checkProof, type Proof } from '../proof.ts'
import { passkeys } from '../table.ts'

/** The passkey opens the account no more; the device may go on showing it. */
export async function removePasskey(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  { id, ...proof }: Proof & { id: string },
): Promise<void> {
  const proven = await checkProof(deps, userId, proof)
  await transact(deps.db, async (tx) => {
    await proven.confirm(tx)
    const gone = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.userId, userId), eq(passkeys.id, id)))
      .returning({ id: passkeys.id })
    if (gone.length === 0) throw appError('passkey.not_found')
  })
}
