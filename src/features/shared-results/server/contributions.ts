import { eq } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { ageErrors } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { route } from '#server/http/route.ts'
import { type } from '#shared/schema.ts'
import { openInput, sharedLink, sharedLinkList, sharedResult, shareInput } from '../schemas.ts'
import { openShared, servePicture } from './open-shared.ts'
import { deleteExpiredLinks, listShared, revokeShared, shareResult } from './share-result.ts'
import { sharedResults } from './table.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const links = await db
      .select({
        generationId: sharedResults.generationId,
        position: sharedResults.position,
        withOriginal: sharedResults.withOriginal,
        openings: sharedResults.openings,
        createdAt: sharedResults.createdAt,
        expiresAt: sharedResults.expiresAt,
      })
      .from(sharedResults)
      .where(eq(sharedResults.userId, userId))
    if (links.length > 0) yield jsonFile('shared-links.json', links)
  },
  async erase(tx, { userId }) {
    await tx.delete(sharedResults).where(eq(sharedResults.userId, userId))
    return []
  },
}

export const sharedResultContributions = {
  personalData,
  work: (deps: Deps) => deps.jobs.every('forget-shared-results', 3600, () => deleteExpiredLinks(deps)),
}

const linkParam = type({ id: 'string.uuid' })
/** Keeps shared pages out of search engines. */
const noIndexHeaders = { 'x-robots-tag': 'noindex, nofollow, noimageindex' }

export function sharedResultRoutes(deps: Deps) {
  const user = requireUser(deps)
  const ownerOf = ({ user: { id }, sessionId }: UserEnv['Variables']) => ({ userId: id, sessionId })
  return [
    route('listSharedLinks', 'GET /user/shared_results', user, {
      summary: 'List active links to shared results',
      output: { 200: ['Newest first', sharedLinkList] },
      handler: async (c) => ({ items: await listShared(deps, ownerOf(c.var)) }),
    }),
    route('shareResult', 'POST /user/shared_results', user, {
      summary: 'Create a temporary public link to a result',
      input: { json: shareInput },
      limits: (c) => [{ rule: 'shared-make', subject: c.var.user.id, limit: 60, seconds: 3600 }],
      output: { 201: ['The link', sharedLink] },
      errors: [
        'generation.not_found',
        'shared_result.not_possible',
        'shared_result.withdrawn',
        'account.limited',
        ...ageErrors,
      ],
      handler: (c) => shareResult(deps, ownerOf(c.var), c.req.valid('json')),
    }),
    route('revokeSharedLink', 'DELETE /user/shared_results/:id', user, {
      summary: 'Withdraw a link',
      input: { param: linkParam },
      output: { 204: 'Ended' },
      handler: (c) => revokeShared(deps, { userId: c.var.user.id, id: c.req.valid('param').id }),
    }),
    route('openSharedResult', 'POST /shared_results/:token/open', 'visitor', {
      summary: 'Get a shared result; takes the password of a locked link',
      input: { json: openInput },
      output: { 200: ['The result', sharedResult] },
      errors: [
        'request.rate_limited',
        'shared_result.not_found',
        'shared_result.password_due',
        'shared_result.wrong_password',
      ],
      handler: async (c) => {
        const { address } = c.var
        const { password } = c.req.valid('json')
        for (const [name, value] of Object.entries(noIndexHeaders)) c.header(name, value)
        return await openShared(deps, { token: c.req.param('token'), password, address })
      },
    }),
    route('serveSharedPicture', 'GET /shared_results/:token/:picture', 'visitor', {
      summary: 'Serve a picture of a shared result',
      output: { 200: 'The file' },
      errors: ['shared_result.not_found', 'shared_result.password_due', 'file.not_found'],
      handler: async (c) => {
        for (const [name, value] of Object.entries(noIndexHeaders)) c.header(name, value)
        return await servePicture(deps, c)
      },
    }),
  ]
}
