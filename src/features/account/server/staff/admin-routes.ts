import { type Context, Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, csvResponse, toWesternIndonesianTime, wantsCsv } from '#server/http/csv.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import { done } from '#server/http/done.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import type { Permission } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import {
  type AdminUserView,
  accountNoteInput,
  accountSecurityInput,
  accountStatusInput,
  adminUserDetailSchema,
  adminUserSchema,
  linkMailInput,
  listUsersInput,
} from '../../admin/schemas.ts'
import { callerOf, withReauthentication } from '../reauthentication/with-reauthentication.ts'
import { endSessionsOf, resetFactors } from './admin-security.ts'
import { changeAccountStatus, listUsers, readUser } from './admin-users.ts'
import { sendLink, setNote } from './help-user.ts'

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

export function adminAccountRoutes(deps: Deps) {
  const may = (permission: Permission) => requirePermission(deps, permission)
  const [sees, helps, control] = [may('people'), may('help'), may('control')]
  const task = (c: Context<UserEnv>) => ({ id: pathId(c, 'account.not_found'), staffId: c.var.user.id })
  type Reauthentication = typeof accountSecurityInput.infer
  const reauthenticated = (work: typeof resetFactors, c: Context<UserEnv>, input: Reauthentication) => {
    const task = { id: pathId(c, 'account.not_found'), admin: callerOf(c, deps), input }
    return withReauthentication(deps, task.admin, {}, () => work(deps, task))
  }
  return new Hono<UserEnv>()
    .get(
      '/users',
      documented(
        'List accounts, newest first',
        respondsWith(200, 'A page of accounts', type({ items: adminUserSchema.array(), nextCursor: 'string | null' })),
      ),
      sees,
      valid('query', listUsersInput),
      async (c) => {
        const query = c.req.valid('query')
        if (!wantsCsv(c)) return c.json(await listUsers(deps, query))
        return csvResponse(c, 'users', userColumns, (page) => listUsers(deps, query, page))
      },
    )
    .get(
      '/users/:id',
      documented('Get an account with its changes by admins', respondsWith(200, 'The account', adminUserDetailSchema)),
      sees,
      async (c) => c.json(await readUser(deps, pathId(c, 'account.not_found'))),
    )
    .patch(
      '/users/:id',
      documented(
        "Change an account's role, or disable or enable it; ends all its sessions",
        respondsWith(200, 'The account', adminUserDetailSchema),
      ),
      control,
      jsonOnly,
      validJson(accountStatusInput),
      async (c) => c.json(await changeAccountStatus(deps, task(c), c.req.valid('json'))),
    )
    .post(
      '/users/:id/reset_factors',
      documented(
        'Remove the authenticator app and all passkeys of an account, end its sessions and email its user',
        respondsWith(204, 'Second factors removed'),
      ),
      control,
      jsonOnly,
      validJson(accountSecurityInput),
      async (c) => done(c, reauthenticated(resetFactors, c, c.req.valid('json'))),
    )
    .post(
      '/users/:id/end_sessions',
      documented('End all sessions of an account and email its user', respondsWith(204, 'Sessions ended')),
      helps,
      jsonOnly,
      validJson(accountSecurityInput),
      async (c) => done(c, reauthenticated(endSessionsOf, c, c.req.valid('json'))),
    )
    .put(
      '/users/:id/note',
      documented('Set the internal note of an account', respondsWith(204, 'Saved')),
      helps,
      jsonOnly,
      validJson(accountNoteInput),
      async (c) => done(c, setNote(deps, task(c), c.req.valid('json'))),
    )
    .post(
      '/users/:id/mails',
      documented('Resend a link to a user by email', respondsWith(204, 'An email is on its way')),
      helps,
      jsonOnly,
      validJson(linkMailInput),
      async (c) => done(c, sendLink(deps, task(c), c.req.valid('json'))),
    )
}
