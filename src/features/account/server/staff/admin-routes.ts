import type { Context } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, listResponse, toWesternIndonesianTime } from '#server/http/csv.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
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
import { callerOf, reauthenticationErrors, withReauthentication } from '../reauthentication/with-reauthentication.ts'
import { endSessionsOf, resetFactors } from './admin-security.ts'
import { changeAccountStatus, listUsers, readUser } from './admin-users.ts'
import { askAgeAgain, sendLink, setNote } from './help-user.ts'
import { readUserSummary, type SummarySources } from './user-summary.ts'

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
