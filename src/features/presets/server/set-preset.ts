import { audit } from '#server/audit/audit.ts'
import { advisoryLock, requireVersion } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { passportPresets as builtIn } from '#tools/passport-photo/contract/presets.ts'
import { presetId } from '../rules.ts'
import type { PresetInput } from '../schemas.ts'
import { readPresets } from './read-presets.ts'
import { passportPresets } from './table.ts'

/** Existing photos keep their rule. */
export async function setPreset(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  adminId: string,
  id: string,
  { version, position, active, ...preset }: PresetInput,
): Promise<void> {
  if (!presetId.test(id)) throw appError('form.invalid', { details: { id: 'form.invalid' } })
  const now = clock()
  await transact(db, async (tx) => {
    await advisoryLock(tx, `passport_preset:${id}`)
    const found = (await readPresets(tx)).find((current) => current.id === id)
    // A new preset has no version that could have been read.
    const made = found && !builtIn.some((other) => other.id === id)
    if (made && version === 0) throw appError('form.invalid', { details: { id: 'preset.idTaken' } })
    requireVersion(version, found?.version ?? 0)
    await tx.insert(passportPresets).values({ id, preset, position, active, createdAt: now, createdBy: adminId })
    const { version: _, ...before } = found ?? { version: 0 }
    const subject = { kind: 'passport_preset', id }
    const after = { ...preset, position, active }
    await audit(tx, { actor: adminId, action: 'preset.changed', subject, ...(found && { before }), after, now })
  })
}
