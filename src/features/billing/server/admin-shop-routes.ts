import { approvalErrors, waitsForApproval } from '#features/approvals/server/approvals.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { listResponse } from '#server/http/csv.ts'
import { reply, route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import {
  createVoucherInput,
  editVoucherInput,
  listVouchersInput,
  priceHistory,
  setPackageInput,
  setRateInput,
  voucherPage,
  voucherView,
} from '../admin/schemas.ts'
import { packageList } from '../schemas.ts'
import { voucherColumns } from './ledger/admin-csv.ts'
import { listPackages, readPriceHistory, setPackage, setRate } from './prices/packages.ts'
import { createVoucher, editVoucher, listVouchers } from './vouchers/admin-vouchers.ts'

/** Vouchers, packages and the exchange rate. */
export function adminShopRoutes(deps: Deps) {
  const shop = requirePermission(deps, 'shop')
  return [
    route('createVoucher', 'POST /admin/vouchers', shop, {
      summary: 'Create a voucher',
      input: { json: createVoucherInput },
      output: { 201: ['The voucher', voucherView], ...waitsForApproval },
      errors: [...approvalErrors],
      handler: async (c) => {
        const made = await createVoucher(deps, c.var.user.id, c.req.valid('json'))
        return reply('approval' in made ? 202 : 201, made)
      },
    }),
    route('listVouchers', 'GET /admin/vouchers', shop, {
      summary: 'List vouchers with their uses, newest first',
      input: { query: listVouchersInput },
      output: { 200: ['One page of results', voucherPage] },
      handler: (c) =>
        listResponse(c, 'vouchers', voucherColumns, (page) => listVouchers(deps, c.req.valid('query'), page)),
    }),
    route('editVoucher', 'PATCH /admin/vouchers/:id', shop, {
      summary: "Update a voucher's dates and limits, effective from the next order; `active: false` ends it",
      input: { json: editVoucherInput },
      output: { 200: ['The updated voucher', voucherView], ...waitsForApproval },
      errors: [...approvalErrors, 'voucher.not_found'],
      handler: async (c) => {
        const changed = await editVoucher(deps, c.var.user.id, pathId(c, 'voucher.not_found'), c.req.valid('json'))
        return reply('approval' in changed ? 202 : 200, changed)
      },
    }),
    route('readPriceHistory', 'GET /admin/packages', shop, {
      summary: 'List all package versions and exchange rates, newest first',
      output: { 200: ['The prices', priceHistory] },
      handler: () => readPriceHistory(deps),
    }),
    route('setPackage', 'PUT /admin/packages/:id', shop, {
      summary: "Update a package's price and contents, effective from the next order",
      input: { json: setPackageInput },
      output: { 200: ['The packages on sale', packageList] },
      errors: ['package.unknown'],
      handler: async (c) => {
        const { id } = c.req.param()
        if (!/^[a-z0-9_-]{1,40}$/.test(id)) throw appError('package.unknown')
        await setPackage(deps, c.var.user.id, id, c.req.valid('json'))
        return await listPackages(deps)
      },
    }),
    route('setRate', 'PUT /admin/idr_rate', shop, {
      summary: 'Set the rupiah exchange rate, effective from the next order',
      input: { json: setRateInput },
      output: { 200: ['The packages on sale', packageList] },
      handler: async (c) => {
        await setRate(deps, c.var.user.id, c.req.valid('json'))
        return await listPackages(deps)
      },
    }),
  ]
}
