import { Server } from '@tus/server'
import type { Lock, Locker } from '@tus/utils'
import type { Context } from 'hono'
import { v7 as uuid } from 'uuid'
import { AppError, appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { errorResponse } from '#server/http/error-response.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { videoLimits } from '#shared/media.ts'
import { finishUpload } from './finish-upload.ts'
import { findUpload } from './stored-files.ts'
import { type UploadDeps, UploadStore } from './upload-store.ts'

/** Of the app, or of programs. */
const uploadsPath = (path: string) => /^\/api\/(v1\/)?uploads/.exec(path)?.[0] ?? '/api/uploads'
/** A replaced request saves its received bytes within this time. */
const drainMilliseconds = 500

const locker = createUploadLocker()

/** Handles a request of the tus protocol, version 1.0.0. */
export async function handleTus(deps: UploadDeps, c: Context<UserEnv>): Promise<Response> {
  const { id: userId } = c.var.user
  let failure: unknown
  const server = new Server({
    path: uploadsPath(c.req.path),
    relativeLocation: true,
    datastore: new UploadStore(deps, userId),
    maxSize: videoLimits.bytes,
    locker,
    lockDrainTimeout: drainMilliseconds,
    namingFunction: () => uuid({ msecs: deps.clock().getTime() }),
    onUploadFinish: async (_, { id }) => {
      await finishUpload(deps, await findUpload(deps, userId, id))
      return {}
    },
    onResponseError: (_, error) => {
      failure = error
      return undefined
    },
  })
  const response = await server.handleWeb(c.req.raw)
  for (const name of [...response.headers.keys()]) {
    if (name.startsWith('access-control-')) response.headers.delete(name)
  }
  if (response.status < 400) return response
  if (failure instanceof Error && !(failure instanceof AppError) && !('status_code' in failure)) throw failure
  const error = failure instanceof AppError ? failure : appError(codes[response.status] ?? 'request.malformed')
  return errorResponse(c, error, { 'tus-resumable': '1.0.0', 'tus-version': '1.0.0' })
}

const codes: Partial<Record<number, ErrorCode>> = {
  404: 'upload.not_found',
  409: 'upload.conflict',
  410: 'upload.not_found',
  412: 'upload.protocol',
  413: 'upload.too_large',
}

interface Holder {
  release: () => Promise<void> | void
  free: Promise<void>
}

/**
 * A later request is usually from a client whose connection died, so the earlier one has to end
 * first. (The library's own locker polls in every turn of the event loop.)
 */
function createUploadLocker(): Locker {
  const holders = new Map<string, Holder>()
  return {
    newLock(id): Lock {
      let leave: () => void = () => {}
      return {
        async lock(signal, requestRelease) {
          for (let held = holders.get(id); held; held = holders.get(id)) {
            signal.throwIfAborted()
            await held.release()
            await held.free
          }
          const { promise, resolve } = Promise.withResolvers<void>()
          leave = resolve
          holders.set(id, { release: requestRelease, free: promise })
        },
        async unlock() {
          holders.delete(id)
          leave()
        },
      }
    },
  }
}
