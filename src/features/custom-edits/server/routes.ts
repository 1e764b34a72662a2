import { type Context, Hono } from 'hono'
import { requirePermission, requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { idempotencyKey } from '#server/http/idempotency-key.ts'
import { pathId } from '#server/http/path-id.ts'
import { privatePicture } from '#server/http/private-picture.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { type } from '#shared/schema.ts'
import {
  boardCountsSchema,
  boardEditDetailSchema,
  boardEditSchema,
  boardInput,
  createCustomEditInput,
  customEditSchema,
  declineInput,
  finishInput,
  listCustomEditsInput,
  messageInput,
  noteInput,
  resultsInput,
} from '../schemas.ts'
import { countBoard, listBoard, openOriginals, openPicture, readBoardEdit } from './board.ts'
import { createCustomEdit } from './create.ts'
import { listOwn, withdraw } from './own-edits.ts'
import { reopenRequest, sendMessage } from './owner-messages.ts'
import { openOwnFile, openResults } from './results.ts'
import { addNote, addResults, finishRequest, removeResult, returnRequest, takeRequest } from './staff-actions.ts'
import { ownViews } from './views.ts'

const done = respondsWith(204, 'Done')
const pageOf = (schema: typeof customEditSchema | typeof boardEditSchema) =>
  respondsWith(200, 'One page of results', type({ items: schema.array(), nextCursor: 'string | null' }))

const edit = (c: Context) => pathId(c, 'custom_edit.not_found')

function download({ name, contentType }: { name: string; contentType: string }) {
  return {
    ...privatePicture(contentType),
    'content-disposition': `attachment; filename="${encodeURIComponent(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  }
}

export function customEditRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const staff = requirePermission(deps, 'requests')
  const board = '/admin/custom_edits'
  return new Hono<UserEnv>()
    .post(
      '/custom_edits',
      documented(
        'Request a custom edit',
        respondsWith(201, 'The request; the same for a repeated idempotency key', customEditSchema),
      ),
      signedIn,
      jsonOnly,
      validJson(createCustomEditInput),
      async (c) => {
        const key = idempotencyKey(c.req.header('idempotency-key'))
        const { id: userId } = c.var.user
        const { row, created } = await createCustomEdit(deps, { userId, key, input: c.req.valid('json') })
        const [view] = await ownViews(deps, [row], c.var.sessionId)
        return c.json(view, created ? 201 : 200)
      },
    )
    .get(
      '/custom_edits',
      documented('List your custom edit requests, newest first', pageOf(customEditSchema)),
      signedIn,
      valid('query', listCustomEditsInput),
      async (c) => {
        const { user, sessionId } = c.var
        return c.json(await listOwn(deps, { userId: user.id, sessionId }, c.req.valid('query')))
      },
    )
    .post(
      '/custom_edits/:id/cancel',
      documented('Withdraw a request that no designer has taken', done),
      signedIn,
      async (c) => {
        await withdraw(deps, { userId: c.var.user.id, id: edit(c) })
        return c.body(null, 204)
      },
    )
    .post(
      '/custom_edits/:id/messages',
      documented('Send a message to the designer of a request', done),
      signedIn,
      jsonOnly,
      validJson(messageInput),
      async (c) => {
        await sendMessage(deps, { userId: c.var.user.id, id: edit(c) }, c.req.valid('json'))
        return c.body(null, 204)
      },
    )
    .post(
      '/custom_edits/:id/reopen',
      documented('Request a second version of a finished custom edit, once', done),
      signedIn,
      jsonOnly,
      validJson(messageInput),
      async (c) => {
        await reopenRequest(deps, { userId: c.var.user.id, id: edit(c) }, c.req.valid('json'))
        return c.body(null, 204)
      },
    )
    .get(
      '/custom_edit_files/:id/:name',
      documented('Serve a picture of a request by its signed address', done, { security: [] }),
      async (c) => {
        const { session, expires, signature, size } = c.req.query()
        const link = { id: c.req.param('id'), session, expires, signature, small: size === 'small' }
        const { body, contentType } = await openOwnFile(deps, link)
        return c.body(body, 200, { ...privatePicture(contentType), 'cache-control': 'private, max-age=600' })
      },
    )
    .get(
      '/custom_edit_results/:id/:proof',
      documented('Download the results of a request by the signed link in its email', done, { security: [] }),
      async (c) => {
        const found = await openResults(deps, c.req.param())
        return c.body(found.body, 200, download(found))
      },
    )
    .get(
      board,
      documented('List all requests, most urgent first', pageOf(boardEditSchema)),
      staff,
      valid('query', boardInput),
      async (c) => c.json(await listBoard(deps, c.var.user.id, c.req.valid('query'))),
    )
    .get(
      `${board}/counts`,
      documented('Count the open requests on the board', respondsWith(200, 'The counts', boardCountsSchema)),
      staff,
      async (c) => c.json(await countBoard(deps)),
    )
    .get(
      `${board}/:id`,
      documented('Get a request with its notes', respondsWith(200, 'The request', boardEditDetailSchema)),
      staff,
      async (c) => c.json(await readBoardEdit(deps, edit(c))),
    )
    .get(
      `${board}/:id/files/:file`,
      documented('Serve a picture of a request; each view is recorded in the audit log', done),
      staff,
      async (c) => {
        const [id, fileId] = [pathId(c, 'file.not_found'), pathId(c, 'file.not_found', 'file')]
        const { body, contentType } = await openPicture(deps, { id, fileId, staffId: c.var.user.id })
        return c.body(body, 200, privatePicture(contentType))
      },
    )
    .get(
      `${board}/:id/originals`,
      documented('Download the original pictures, several as a ZIP; each download is recorded in the audit log', done),
      staff,
      async (c) => {
        const found = await openOriginals(deps, { id: pathId(c, 'file.not_found'), staffId: c.var.user.id })
        return c.body(found.body, 200, download(found))
      },
    )
    .post(`${board}/:id/take`, documented('Assign a request to yourself', done), staff, async (c) => {
      await takeRequest(deps, { id: edit(c), staff: c.var.user })
      return c.body(null, 204)
    })
    .post(`${board}/:id/return`, documented('Return a request to the board', done), staff, async (c) => {
      await returnRequest(deps, { id: edit(c), staff: c.var.user })
      return c.body(null, 204)
    })
    .post(
      `${board}/:id/notes`,
      documented('Add an internal note', done),
      staff,
      jsonOnly,
      validJson(noteInput),
      async (c) => {
        await addNote(deps, { id: edit(c), staff: c.var.user }, c.req.valid('json'))
        return c.body(null, 204)
      },
    )
    .post(
      `${board}/:id/results`,
      documented('Upload result pictures', done),
      staff,
      jsonOnly,
      validJson(resultsInput),
      async (c) => {
        await addResults(deps, { id: edit(c), staff: c.var.user }, c.req.valid('json'))
        return c.body(null, 204)
      },
    )
    .delete(`${board}/:id/results/:file`, documented('Delete a result picture', done), staff, async (c) => {
      const fileId = pathId(c, 'file.not_found', 'file')
      await removeResult(deps, { id: edit(c), fileId, staff: c.var.user })
      return c.body(null, 204)
    })
    .post(
      `${board}/:id/done`,
      documented('Email the results to the user', done),
      staff,
      jsonOnly,
      validJson(finishInput),
      async (c) => {
        const { note } = c.req.valid('json')
        await finishRequest(deps, { id: edit(c), staff: c.var.user }, { status: 'done', note })
        return c.body(null, 204)
      },
    )
    .post(
      `${board}/:id/decline`,
      documented('Decline a request with a reason', done),
      staff,
      jsonOnly,
      validJson(declineInput),
      async (c) => {
        const { reason } = c.req.valid('json')
        await finishRequest(deps, { id: edit(c), staff: c.var.user }, { status: 'declined', reason })
        return c.body(null, 204)
      },
    )
}
