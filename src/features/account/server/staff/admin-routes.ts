import { Hono } from 'hono'
import { validate as isUuid } from 'uuid'
import { type } from '#contract/schema.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type CsvColumns, csvResponse, wantsCsv } from '#server/http/csv.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import {
  accountSecurityInput,
  accountStatusInput,
  adminUserDetailSchema,
  adminUserSchema,
  listUsersInput,
} from '../../admin/schemas.ts'
import type { AdminUserView } from '../../admin/types.ts'
import { callerOf, withReauthentication } from '../reauthentication/with-reauthentication.ts'
import { requireUser } from '../sessions/require-user.ts'
import { endSessionsOf, resetFactors } from './admin-security.ts'
import { changeAccountStatus, listUsers, readUser } from './admin-users.ts'

const userColumns: CsvColumns<AdminUserView> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  role: ({ role }) => role,
  verified: ({ verified }) => verified,
  disabled: ({ disabled }) => disabled,
  credits: ({ credits }) => credits,
  created_at: ({ createdAt }) => createdAt,
}

/** What admins do with accounts; paths are relative to /api/admin. */
export function adminAccountRoutes(deps: Deps) {
  const admin = requireUser(deps, 'admin')
  return new Hono<UserEnv>()
    .get(
      '/users',
      documented(
        'Everybody who has an account, the newest first',
        respondsWith(200, 'A page of accounts', type({ items: adminUserSchema.array(), nextCursor: 'string | null' })),
      ),
      admin,
      valid('query', listUsersInput),
      async (c) => {
        const query = c.req.valid('query')
        if (!wantsCsv(c)) return c.json(await listUsers(deps, query))
        return csvResponse(c, 'users', userColumns, (place) => listUsers(deps, { ...query, ...place }))
      },
    )
    .get(
      '/users/:id',
      documented(
        'An account and what admins changed about it',
        respondsWith(200, 'The account', adminUserDetailSchema),
      ),
      admin,
      async (c) => c.json(await readUser(deps, known(c.req.param('id')))),
    )
    .patch(
      '/users/:id',
      documented(
        'Give an account another role, shut it out or let it in again; all its sessions end',
        respondsWith(200, 'The account', adminUserDetailSchema),
      ),
      admin,
      jsonOnly,
      validJson(accountStatusInput),
      async (c) => {
        const id = known(c.req.param('id'))
        return c.json(await changeAccountStatus(deps, { id, adminId: c.var.user.id, ...c.req.valid('json') }))
      },
    )
    .post(
      '/users/:id/reset_factors',
      documented(
        'Remove the authenticator app and all passkeys of an account; its sessions end, and the person is told',
        respondsWith(204, 'It has none any more'),
      ),
      admin,
      jsonOnly,
      validJson(accountSecurityInput),
      async (c) => {
        const task = { id: known(c.req.param('id')), admin: callerOf(c, deps), input: c.req.valid('json') }
        await withReauthentication(deps, task.admin, {}, () => resetFactors(deps, task))
        return c.body(null, 204)
      },
    )
    .post(
      '/users/:id/end_sessions',
      documented('End all sessions of an account; the person is told', respondsWith(204, 'They have ended')),
      admin,
      jsonOnly,
      validJson(accountSecurityInput),
      async (c) => {
        const task = { id: known(c.req.param('id')), admin: callerOf(c, deps), input: c.req.valid('json') }
        await withReauthentication(deps, task.admin, {}, () => endSessionsOf(deps, task))
        return c.body(null, 204)
      },
    )
}

function known(id: string): string {
  if (!isUuid(id)) throw appError('account.not_found')
  return id
}
