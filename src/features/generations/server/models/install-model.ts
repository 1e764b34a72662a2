import type { CatalogueModel } from '#providers/provider.ts'
import { audit } from '#server/audit/audit.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'

type ShelfDeps = Pick<Deps, 'db' | 'clock' | 'jobs' | 'models'>

async function modelOf({ models }: ShelfDeps, name: string): Promise<CatalogueModel> {
  const model = (await models.list()).find((known) => known.name === name)
  if (!model) throw appError('request.not_found')
  return model
}

/** Licences with obligations must be accepted first. */
export async function requestModel(
  deps: ShelfDeps,
  { adminId, name, accepted }: { adminId: string; name: string; accepted: boolean },
): Promise<void> {
  const { objection, licence } = await modelOf(deps, name)
  if (objection && !accepted) throw appError('form.invalid', { details: { accepted: 'form.invalid' } })
  await record(deps, adminId, name, { action: 'model.install_requested', after: { licence, accepted } })
  await deps.models.announce(name)
  await deps.jobs.send('install-model', { name }, { singletonKey: name })
}

/** Running work continues with the already opened model. */
export async function removeModel(
  deps: ShelfDeps,
  { adminId, name }: { adminId: string; name: string },
): Promise<void> {
  await modelOf(deps, name)
  await deps.models.remove(name)
  await record(deps, adminId, name, { action: 'model.removed' })
}

function record(
  { db, clock }: ShelfDeps,
  actor: string,
  name: string,
  what: { action: `${string}.${string}`; after?: object },
): Promise<void> {
  return transact(db, (tx) => audit(tx, { actor, ...what, subject: { kind: 'task', id: name }, now: clock() }))
}
