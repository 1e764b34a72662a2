import { type Context, Hono } from 'hono'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { documents } from './api-documents.ts'
import { findUpload, uploadView } from './find-upload.ts'

export function uploadRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  // Loaded with the first upload, so that the server starts faster.
  const upload = async (c: Context<UserEnv>) => (await import('./tus.ts')).handleTus(deps, c)
  return new Hono<UserEnv>()
    .post('/uploads', documents.create, signedIn, upload)
    .options('/uploads', signedIn, upload)
    .get('/uploads/:id', documents.read, signedIn, async (c) => {
      // Hono routes HEAD to the handler of GET.
      if (c.req.raw.method === 'HEAD') return await upload(c)
      return c.json(uploadView(await findUpload(deps, c.var.user.id, c.req.param('id'))))
    })
    .patch('/uploads/:id', documents.append, signedIn, upload)
    .delete('/uploads/:id', documents.remove, signedIn, upload)
}
