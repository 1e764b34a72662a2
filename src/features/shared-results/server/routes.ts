import { Hono } from 'hono'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { type } from '#shared/schema.ts'
import { openInput, sharedLink, sharedLinkList, sharedResult, shareInput } from '../schemas.ts'
import { openShared } from './open-shared.ts'
import { servePicture } from './serve-picture.ts'
import { listShared, revokeShared, shareResult } from './share-result.ts'

const linkParam = type({ id: 'string.uuid' })
/** Keeps shared pages out of search engines. */
const noIndexHeaders = { 'x-robots-tag': 'noindex, nofollow, noimageindex' }

export function sharedResultRoutes(deps: Deps) {
  const user = requireUser(deps)
  const ownerOf = ({ user: { id }, sessionId }: UserEnv['Variables']) => ({ userId: id, sessionId })
  return new Hono<UserEnv>()
    .get(
      '/user/shared_results',
      documented('List active links to shared results', respondsWith(200, 'Newest first', sharedLinkList)),
      user,
      async (c) => c.json({ items: await listShared(deps, ownerOf(c.var)) }),
    )
    .post(
      '/user/shared_results',
      documented('Create a temporary public link to a result', respondsWith(201, 'The link', sharedLink)),
      user,
      jsonOnly,
      validJson(shareInput),
      async (c) => {
        await limitRate(deps, [{ rule: 'shared-make', subject: c.var.user.id, limit: 60, seconds: 3600 }])
        return c.json(await shareResult(deps, ownerOf(c.var), c.req.valid('json')), 201)
      },
    )
    .delete(
      '/user/shared_results/:id',
      documented('Withdraw a link', respondsWith(204, 'Ended')),
      user,
      valid('param', linkParam),
      async (c) => {
        await revokeShared(deps, { userId: c.var.user.id, id: c.req.valid('param').id })
        return c.body(null, 204)
      },
    )
    .post(
      '/shared_results/:token/open',
      documented(
        'Get a shared result; takes the password of a locked link',
        respondsWith(200, 'The result', sharedResult),
      ),
      jsonOnly,
      validJson(openInput),
      async (c) => {
        const { address } = c.var
        const { password } = c.req.valid('json')
        return c.json(await openShared(deps, { token: c.req.param('token'), password, address }), 200, noIndexHeaders)
      },
    )
    .get(
      '/shared_results/:token/:picture',
      documented('Serve a picture of a shared result', { 200: { description: 'The file' } }),
      async (c) => {
        for (const [name, value] of Object.entries(noIndexHeaders)) c.header(name, value)
        return await servePicture(deps, c)
      },
    )
}
