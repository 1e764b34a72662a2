import type { Context } from 'hono'
import { validate as isUuid } from 'uuid'
import type { ErrorCode } from '#shared/errors.ts'
import { appError } from './app-error.ts'

/** An invalid id is answered like an unknown one. */
export function pathId(c: Context, missing: ErrorCode, name = 'id'): string {
  const id = c.req.param(name)
  if (!id || !isUuid(id)) throw appError(missing)
  return id
}
