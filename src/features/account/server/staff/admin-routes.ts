import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import { audit, securityLog } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import { lockFactors } from '#server/auth/factors.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import { revokeSessions } from '#server/auth/sessions.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type CsvColumns, listResponse, toWesternIndonesianTime } from '#server/http/csv.ts'
import type { UserEnv } from '#server/http/env.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { Permission } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import {
  type AdminUserView,
  accountNoteInput,
  accountSecurityInput,
  accountStatusInput,
  adminUserDetailSchema,
  adminUserSchema,
  askAgeInput,
  linkMailInput,
  listUsersInput,
  userSummarySchema,
} from '../../admin/schemas.ts'
import {
  type Caller,
  callerOf,
  reauthenticate,
  reauthenticationErrors,
  withReauthentication,
} from '../reauthentication.ts'
import { deleteFactors } from '../second-factor/factor-removal.ts'
import { showFactorIfDue } from '../second-factor/show-factor.ts'
import { changeAccountStatus, listUsers, readUser, readUserSummary, type SummarySources } from './admin-users.ts'
import { askAgeAgain, sendLink, setNote } from './help-user.ts'

const userColumns: CsvColumns<AdminUserView> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  role: ({ role }) => role,
  duty: ({ duty }) => duty,
  tags: ({ tags }) => tags.join(', '),
  verified: ({ verified }) => verified,
  disabled: ({ disabled }) => disabled,
  credits: ({ credits }) => credits,
  created_at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
}

export function adminAccountRoutes(deps: Deps, summaries: SummarySources) {
  const may = (permission: Permission) => requirePermission(deps, permission)
  const [sees, helps, control] = [may('people'), may('help'), may('control')]
  const task = (c: Context<UserEnv>) => ({ id: pathId(c, 'account.not_found'), staffId: c.var.user.id })
  type Reauthentication = typeof accountSecurityInput.infer
  const reauthenticated = (work: typeof resetFactors, c: Context<UserEnv>, input: Reauthentication) => {
    const task = { id: pathId(c, 'account.not_found'), admin: callerOf(c, deps), input }
    return withReauthentication(deps, task.admin, {}, () => work(deps, task))
  }
  return [
    route('listUsers', 'GET /admin/users', sees, {
      summary: 'List accounts, newest first',
      input: { query: listUsersInput },
      output: { 200: ['A page of accounts', type({ items: adminUserSchema.array(), nextCursor: 'string | null' })] },
      handler: (c) => listResponse(c, 'users', userColumns, (page) => listUsers(deps, c.req.valid('query'), page)),
    }),
    route('readUser', 'GET /admin/users/:id', sees, {
      summary: 'Get an account with its changes by admins',
      output: { 200: ['The account', adminUserDetailSchema] },
      errors: ['account.not_found'],
      handler: (c) => readUser(deps, pathId(c, 'account.not_found')),
    }),
    route('changeAccountStatus', 'PATCH /admin/users/:id', control, {
      summary: "Change an account's role, or disable or enable it; ends all its sessions",
      input: { json: accountStatusInput },
      output: { 200: ['The account', adminUserDetailSchema] },
      errors: ['account.not_found', 'account.last_admin'],
      handler: (c) => changeAccountStatus(deps, task(c), c.req.valid('json')),
    }),
    route('resetFactors', 'POST /admin/users/:id/reset_factors', control, {
      summary: 'Remove the authenticator app and all passkeys of an account, end its sessions and email its user',
      input: { json: accountSecurityInput },
      output: { 204: 'Second factors removed' },
      errors: [...reauthenticationErrors, 'account.not_found', 'second_factor.off'],
      handler: (c) => reauthenticated(resetFactors, c, c.req.valid('json')),
    }),
    route('endSessionsOfUser', 'POST /admin/users/:id/end_sessions', helps, {
      summary: 'End all sessions of an account and email its user',
      input: { json: accountSecurityInput },
      output: { 204: 'Sessions ended' },
      errors: [...reauthenticationErrors, 'account.not_found'],
      handler: (c) => reauthenticated(endSessionsOf, c, c.req.valid('json')),
    }),
    route('setUserNote', 'PUT /admin/users/:id/note', helps, {
      summary: 'Set the internal note of an account',
      input: { json: accountNoteInput },
      output: { 204: 'Saved' },
      errors: ['account.not_found'],
      handler: (c) => setNote(deps, task(c), c.req.valid('json')),
    }),
    route('sendLink', 'POST /admin/users/:id/mails', helps, {
      summary: 'Resend a link to a user by email',
      input: { json: linkMailInput },
      output: { 204: 'An email is on its way' },
      errors: ['account.not_found', 'account.verified'],
      handler: (c) => sendLink(deps, task(c), c.req.valid('json')),
    }),
    route('askAgeAgain', 'POST /admin/users/:id/ask_age', control, {
      summary: 'Have a user asked for the birth year again, after a mistyped one',
      input: { json: askAgeInput },
      output: { 204: 'The user is asked' },
      errors: ['account.not_found'],
      handler: (c) => askAgeAgain(deps, task(c), c.req.valid('json')),
    }),
    route('readUserSummary', 'GET /admin/users/:id/summary', sees, {
      summary: "Get counts of a user's generations, orders and requests",
      output: { 200: ['The counts', userSummarySchema] },
      errors: ['account.not_found'],
      handler: (c) => readUserSummary(deps, summaries, pathId(c, 'account.not_found')),
    }),
  ]
}

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>
interface Task {
  id: string
  admin: Caller
  input: typeof accountSecurityInput.infer
}

/**
 * The user may have lost them, or an attacker may have added them. Ends the sessions and notifies
 * the user; the next factor needs the mailed link again.
 */
async function resetFactors(deps: Tools, task: Task): Promise<void> {
  await change(deps, task, async (tx, now) => {
    const { id } = task
    const before = await deleteFactors(tx, id)
    if (!before.totp && before.passkeys === 0) throw appError('second_factor.off')
    await audit(tx, {
      actor: task.admin.user.id,
      action: 'account.factors_reset',
      subject: { kind: 'account', id },
      before,
      after: { totp: false, passkeys: 0 },
      reason: task.input.reason,
      now,
    })
    await noteFor(deps, tx, task, 'factors_removed')
    await enqueueMail(tx, { template: 'factors_reset', userId: id, now })
  })
}

async function endSessionsOf(deps: Tools, task: Task): Promise<void> {
  await change(deps, task, async (tx, now) => {
    const { id } = task
    await audit(tx, {
      actor: task.admin.user.id,
      action: 'account.sessions_ended',
      subject: { kind: 'account', id },
      reason: task.input.reason,
      now,
    })
    await noteFor(deps, tx, task, 'sessions_ended')
    await enqueueMail(tx, { template: 'sessions_ended', userId: id, now })
  })
}

async function change(
  deps: Tools,
  { id, admin, input: { password, confirmation } }: Task,
  work: (tx: Transaction, now: Date) => Promise<void>,
): Promise<void> {
  // Checks before a code is spent; the transaction checks again.
  await requireAuthorityOver(deps.db, admin.user.id, id)
  const reauthenticated = await reauthenticate(deps, admin.user.id, { password, confirmation })
  const factor = await showFactorIfDue(deps, { userId: admin.user.id, sessionId: admin.sessionId }, {})
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    await reauthenticated.confirm(tx)
    await factor.confirm(tx)
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt)))
    if (!user) throw appError('account.not_found')
    await requireAuthorityOver(tx, admin.user.id, id)
    await lockFactors(tx, id)
    await work(tx, now)
    await revokeSessions(tx, { userId: id, now })
  })
}

async function noteFor(
  { clock }: Tools,
  tx: Transaction,
  { id, admin: { address } }: Task,
  kind: 'factors_removed' | 'sessions_ended',
): Promise<void> {
  await securityLog.note({ db: tx, clock }, { kind, userId: id, address, detail: 'admin' })
}
