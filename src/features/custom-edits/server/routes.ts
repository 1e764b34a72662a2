import type { Context } from 'hono'
import { ageErrors } from '#server/auth/age.ts'
import { requirePermission, requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { reply, route } from '#server/http/route.ts'
import { privatePicture } from '#server/http/security-headers.ts'
import { pathId } from '#server/http/validate.ts'
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
  ratingInput,
  resultsInput,
} from '../schemas.ts'
import { countBoard, listBoard, openOriginals, openPicture, readBoardEdit } from './board.ts'
import { createCustomEdit } from './create-custom-edit.ts'
import { listOwn, rateRequest, reopenRequest, sendMessage, withdraw } from './own-edits.ts'
import { openOwnFile, openResults } from './results.ts'
import { addNote, addResults, finishRequest, removeResult, returnRequest, takeRequest } from './staff-actions.ts'
import { ownViews } from './views.ts'

const pageOf = (schema: typeof customEditSchema | typeof boardEditSchema) =>
  ['One page of results', type({ items: schema.array(), nextCursor: 'string | null' })] as const

const edit = (c: Context) => pathId(c, 'custom_edit.not_found')

function download({ name, contentType }: { name: string; contentType: string }) {
  return {
    ...privatePicture(contentType),
    'content-disposition': `attachment; filename="${encodeURIComponent(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  }
}

const assigneeErrors = [
  'custom_edit.not_found',
  'account.not_found',
  'custom_edit.final',
  'custom_edit.not_taken',
  'custom_edit.taken',
] as const

const messageErrors = [
  'custom_edit.not_found',
  'request.rate_limited',
  'custom_edit.final',
  'content.words_refused',
  'file.not_found',
  'upload.not_ready',
  'upload.not_image',
  'upload.no_space',
  'account.limited',
  ...ageErrors,
  'age.adults_only',
  'engine.unsafe_picture',
  'server.busy',
] as const

export function customEditRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const staff = requirePermission(deps, 'requests')
  return [
    route('createCustomEdit', 'POST /custom_edits', signedIn, {
      summary: 'Request a custom edit',
      input: { json: createCustomEditInput },
      idempotencyKey: 'request',
      output: {
        201: ['The request', customEditSchema],
        200: ['Repeated idempotency key: the same request', customEditSchema],
      },
      errors: [
        'idempotency.reused',
        'request.rate_limited',
        'file.not_found',
        'upload.not_image',
        'custom_edit.too_many_open',
        'account.limited',
        ...ageErrors,
        'age.adults_only',
        'content.words_refused',
        'engine.unsafe_picture',
        'server.busy',
        'upload.no_space',
      ],
      handler: async (c) => {
        const key = c.var.idempotencyKey
        const { id: userId } = c.var.user
        const { row, created } = await createCustomEdit(deps, { userId, key, input: c.req.valid('json') })
        const [view] = await ownViews(deps, [row], c.var.sessionId)
        return view && reply(created ? 201 : 200, view)
      },
    }),
    route('listCustomEdits', 'GET /custom_edits', signedIn, {
      summary: 'List your custom edit requests, newest first',
      input: { query: listCustomEditsInput },
      output: { 200: pageOf(customEditSchema) },
      handler: async (c) => {
        const { user, sessionId } = c.var
        return await listOwn(deps, { userId: user.id, sessionId }, c.req.valid('query'))
      },
    }),
    route('withdrawCustomEdit', 'POST /custom_edits/:id/cancel', signedIn, {
      summary: 'Withdraw a request that no designer has taken',
      output: { 204: 'Done' },
      errors: ['custom_edit.not_found', 'custom_edit.taken'],
      handler: (c) => withdraw(deps, { userId: c.var.user.id, id: edit(c) }),
    }),
    route('sendCustomEditMessage', 'POST /custom_edits/:id/messages', signedIn, {
      summary: 'Send a message to the designer of a request',
      input: { json: messageInput },
      output: { 204: 'Done' },
      errors: [...messageErrors],
      handler: (c) => sendMessage(deps, { userId: c.var.user.id, id: edit(c) }, c.req.valid('json')),
    }),
    route('reopenCustomEdit', 'POST /custom_edits/:id/reopen', signedIn, {
      summary: 'Request a second version of a finished custom edit, once',
      input: { json: messageInput },
      output: { 204: 'Done' },
      errors: [...messageErrors],
      handler: (c) => reopenRequest(deps, { userId: c.var.user.id, id: edit(c) }, c.req.valid('json')),
    }),
    route('rateCustomEdit', 'POST /custom_edits/:id/rating', signedIn, {
      summary: 'Rate the results of a custom edit; a rating can be changed for some days',
      input: { json: ratingInput },
      output: { 204: 'Done' },
      errors: ['custom_edit.not_found', 'custom_edit.not_ratable', 'content.words_refused'],
      handler: (c) => rateRequest(deps, { userId: c.var.user.id, id: edit(c) }, c.req.valid('json')),
    }),
    route('serveCustomEditFile', 'GET /custom_edit_files/:id/:name', 'visitor', {
      summary: 'Serve a picture of a request by its signed address',
      output: { 204: 'Done' },
      errors: ['file.link_invalid', 'file.not_found'],
      handler: async (c) => {
        const { session, expires, signature, size } = c.req.query()
        const link = { id: c.req.param('id'), session, expires, signature, small: size === 'small' }
        const { body, contentType } = await openOwnFile(deps, link)
        return c.body(body, 200, { ...privatePicture(contentType), 'cache-control': 'private, max-age=600' })
      },
    }),
    route('downloadCustomEditResults', 'GET /custom_edit_results/:id/:proof', 'visitor', {
      summary: 'Download the results of a request by the signed link in its email',
      output: { 204: 'Done' },
      errors: ['file.link_invalid', 'file.not_found'],
      handler: async (c) => {
        const found = await openResults(deps, c.req.param())
        return c.body(found.body, 200, download(found))
      },
    }),
    route('listBoard', 'GET /admin/custom_edits', staff, {
      summary: 'List all requests, most urgent first',
      input: { query: boardInput },
      output: { 200: pageOf(boardEditSchema) },
      handler: (c) => listBoard(deps, c.var.user.id, c.req.valid('query')),
    }),
    route('countBoard', 'GET /admin/custom_edits/counts', staff, {
      summary: 'Count the open requests on the board, and average the ratings',
      output: { 200: ['The counts', boardCountsSchema] },
      handler: (c) => countBoard(deps, c.var.user.id),
    }),
    route('readBoardEdit', 'GET /admin/custom_edits/:id', staff, {
      summary: 'Get a request with its notes',
      output: { 200: ['The request', boardEditDetailSchema] },
      errors: ['custom_edit.not_found'],
      handler: (c) => readBoardEdit(deps, edit(c)),
    }),
    route('serveBoardPicture', 'GET /admin/custom_edits/:id/files/:file', staff, {
      summary: 'Serve a picture of a request; each view is recorded in the audit log',
      output: { 204: 'Done' },
      errors: ['file.not_found'],
      handler: async (c) => {
        const [id, fileId] = [pathId(c, 'file.not_found'), pathId(c, 'file.not_found', 'file')]
        const { body, contentType } = await openPicture(deps, { id, fileId, staffId: c.var.user.id })
        return c.body(body, 200, privatePicture(contentType))
      },
    }),
    route('downloadOriginals', 'GET /admin/custom_edits/:id/originals', staff, {
      summary: 'Download the original pictures, several as a ZIP; each download is recorded in the audit log',
      output: { 204: 'Done' },
      errors: ['file.not_found'],
      handler: async (c) => {
        const found = await openOriginals(deps, { id: pathId(c, 'file.not_found'), staffId: c.var.user.id })
        return c.body(found.body, 200, download(found))
      },
    }),
    route('takeCustomEdit', 'POST /admin/custom_edits/:id/take', staff, {
      summary: 'Assign a request to yourself',
      output: { 204: 'Done' },
      errors: ['custom_edit.not_found', 'account.not_found', 'custom_edit.taken', 'custom_edit.final'],
      handler: (c) => takeRequest(deps, { id: edit(c), staff: c.var.user }),
    }),
    route('returnCustomEdit', 'POST /admin/custom_edits/:id/return', staff, {
      summary: 'Return a request to the board',
      output: { 204: 'Done' },
      errors: [...assigneeErrors],
      handler: (c) => returnRequest(deps, { id: edit(c), staff: c.var.user }),
    }),
    route('addCustomEditNote', 'POST /admin/custom_edits/:id/notes', staff, {
      summary: 'Add an internal note',
      input: { json: noteInput },
      output: { 204: 'Done' },
      errors: ['custom_edit.not_found', 'account.not_found'],
      handler: (c) => addNote(deps, { id: edit(c), staff: c.var.user }, c.req.valid('json')),
    }),
    route('addCustomEditResults', 'POST /admin/custom_edits/:id/results', staff, {
      summary: 'Upload result pictures',
      input: { json: resultsInput },
      output: { 204: 'Done' },
      errors: [...assigneeErrors, 'upload.not_ready', 'upload.too_many'],
      handler: (c) => addResults(deps, { id: edit(c), staff: c.var.user }, c.req.valid('json')),
    }),
    route('removeCustomEditResult', 'DELETE /admin/custom_edits/:id/results/:file', staff, {
      summary: 'Delete a result picture',
      output: { 204: 'Done' },
      errors: [...assigneeErrors, 'file.not_found'],
      handler: (c) => {
        const fileId = pathId(c, 'file.not_found', 'file')
        return removeResult(deps, { id: edit(c), fileId, staff: c.var.user })
      },
    }),
    route('finishCustomEdit', 'POST /admin/custom_edits/:id/done', staff, {
      summary: 'Email the results to the user',
      input: { json: finishInput },
      output: { 204: 'Done' },
      errors: [...assigneeErrors, 'custom_edit.no_results'],
      handler: (c) => {
        const { note } = c.req.valid('json')
        return finishRequest(deps, { id: edit(c), staff: c.var.user }, { status: 'done', note })
      },
    }),
    route('declineCustomEdit', 'POST /admin/custom_edits/:id/decline', staff, {
      summary: 'Decline a request with a reason',
      input: { json: declineInput },
      output: { 204: 'Done' },
      errors: [...assigneeErrors],
      handler: (c) => {
        const { reason } = c.req.valid('json')
        return finishRequest(deps, { id: edit(c), staff: c.var.user }, { status: 'declined', reason })
      },
    }),
  ]
}
