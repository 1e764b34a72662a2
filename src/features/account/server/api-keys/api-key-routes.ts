import { securityLog } from '#server/audit/audit.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
import { type } from '#shared/schema.ts'
import { apiKeyCreated, apiKeyInput, apiKeyView } from '../../api-key-schemas.ts'
import { callerOf, reauthenticationErrors, withReauthentication } from '../reauthentication/with-reauthentication.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'

export function apiKeyRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  return [
    route('listApiKeys', 'GET /user/api_keys', signedIn, {
      summary: 'List your API keys, without the keys themselves',
      output: { 200: ['The keys', type({ items: apiKeyView.array() })] },
      handler: async (c) => ({ items: await listApiKeys(deps.db, c.var.user.id) }),
    }),
    route('createApiKey', 'POST /user/api_keys', signedIn, {
      summary: 'Create an API key; it is returned this once',
      input: { json: apiKeyInput },
      output: { 201: ['The key', apiKeyCreated] },
      errors: [...reauthenticationErrors, 'api_key.too_many'],
      handler: async (c) => {
        const { user, sessionId, address } = c.var
        const input = c.req.valid('json')
        const owner = { userId: user.id, sessionId }
        const created = await withReauthentication(deps, callerOf(c, deps), input, () =>
          createApiKey(deps, owner, input),
        )
        await securityLog.note(deps, { ...owner, kind: 'api_key_added', address, detail: created.mode })
        return created
      },
    }),
    route('revokeApiKey', 'DELETE /user/api_keys/:id', signedIn, {
      summary: 'Revoke an API key, at once',
      output: { 204: 'Revoked' },
      errors: ['api_key.not_found'],
      handler: async (c) => {
        const { user, sessionId, address } = c.var
        await revokeApiKey(deps, { userId: user.id, id: pathId(c, 'api_key.not_found') })
        await securityLog.note(deps, { kind: 'api_key_revoked', userId: user.id, sessionId, address })
      },
    }),
  ]
}
