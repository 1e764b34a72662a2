import { Hono } from 'hono'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { documents } from './api-documents.ts'
import { findUpload, uploadView } from './find-upload.ts'
import { handleTus } from './tus.ts'

/** The uploads' part of the API; paths are relative to /api. */
export function uploadRoutes(deps: Deps) {
  const signedIn = account.requireUser(deps)
  return new Hono<UserEnv>()
    .post('/uploads', documents.create, signedIn, (c) => handleTus(deps, c))
    .options('/uploads', signedIn, (c) => handleTus(deps, c))
    .get('/uploads/:id', documents.read, signedIn, async (c) => {
      // Hono hands HEAD to the handler of GET.
      if (c.req.raw.method === 'HEAD') return await handleTus(deps, c)
      return c.json(uploadView(await findUpload(deps, c.var.user.id, c.req.param('id'))))
    })
    .patch('/uploads/:id', documents.append, signedIn, (c) => handleTus(deps, c))
    .delete('/uploads/:id', documents.remove, signedIn, (c) => handleTus(deps, c))
}
