import { queryOptions } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { Language } from '#contract/language.ts'
import type { AdminUserDetail, AdminUserView } from '#features/account/admin/types.ts'
import type { StaffAnnouncement } from '#features/announcements/types.ts'
import type { AuditEntryView, SecurityEventView } from '#features/audit/types.ts'
import type {
  AdminLedgerEntry,
  AdminOrderView,
  DifferenceList,
  LedgerTotals,
  OrderTotals,
  PriceHistory,
  Revenue,
  VoucherView,
} from '#features/billing/admin/types.ts'
import type { ToolPriceView } from '#features/credits/types.ts'
import type { BoardCounts } from '#features/custom-edits/types.ts'
import type { ErrorReports } from '#features/error-reports/types.ts'
import type {
  AdminRefundRequest,
  ModelView,
  ProviderSettingsView,
  ProviderView,
  TaskView,
  ToolSettingsView,
} from '#features/generations/types.ts'
import type { AdminPresetList } from '#features/presets/types.ts'
import { adminList, adminQuery } from '#ui/admin/queries.ts'
import type { NoticeMode, Period } from '../rules.ts'
import type {
  Dashboard,
  Failures,
  Funnel,
  Health,
  MailPreview,
  MailTemplates,
  RunCosts,
  TimelineEntry,
  UserSummary,
} from '../types.ts'

export const userList = adminList<AdminUserView>('users')
export const orderList = adminList<AdminOrderView>('orders')
export const voucherList = adminList<VoucherView>('vouchers')
export const ledgerList = adminList<AdminLedgerEntry>('ledger')
export const refundRequestList = adminList<AdminRefundRequest>('claims')
export const securityList = adminList<SecurityEventView>('security_events')
export const auditList = adminList<AuditEntryView>('audit')

export const timelineList = (userId: string) => adminList<TimelineEntry>(`users/${userId}/timeline`)
export const revenueQuery = (span: Record<string, string>) =>
  adminQuery<Revenue>(`revenue?${new URLSearchParams(span)}`)
export const runCostsQuery = (span: Record<string, string>) =>
  adminQuery<RunCosts>(`run_costs?${new URLSearchParams(span)}`)
export const funnelQuery = (span: Record<string, string>) => adminQuery<Funnel>(`funnel?${new URLSearchParams(span)}`)
export const orderTotalsQuery = (filter: Record<string, string>) =>
  adminQuery<OrderTotals>(`orders/totals?${new URLSearchParams(filter)}`)

export const ledgerTotalsQuery = (filter: Record<string, string>) =>
  adminQuery<LedgerTotals>(`ledger/totals?${new URLSearchParams(filter)}`)

export const userQuery = (id: string) => adminQuery<AdminUserDetail>(`users/${id}`)
export const summaryQuery = (id: string) => adminQuery<UserSummary>(`users/${id}/summary`)
export const orderQuery = (id: string) => adminQuery<AdminOrderView>(`orders/${id}`)
export const failuresQuery = (tool: string) => adminQuery<Failures>(`tools/${tool}/failures`)
export const toolSettingsQuery = adminQuery<{ items: ToolSettingsView[] }>('tools')
export const providersQuery = adminQuery<{ items: ProviderView[] }>('providers')
export const providerSettingsQuery = adminQuery<{ items: ProviderSettingsView[] }>('provider_settings')
export const modelsQuery = adminQuery<{ items: ModelView[] }>('models')
export const tasksQuery = adminQuery<{ items: TaskView[] }>('tasks')
export const toolPricesQuery = adminQuery<{ items: ToolPriceView[] }>('tool_prices')
export const packagesQuery = adminQuery<PriceHistory>('packages')
export const mailTemplatesQuery = (language: Language) =>
  adminQuery<MailTemplates>(`mail_templates?language=${language}`)
export const mailPreviewQuery = (template: string, language: Language) =>
  adminQuery<MailPreview>(`mail_templates/${template}?language=${language}`)
export const announcementsQuery = adminQuery<{ items: StaffAnnouncement[] }>('announcements')
export const presetsQuery = adminQuery<AdminPresetList>('passport_presets')
export const jobsQuery = adminQuery<{ failing: { name: string; jobs: number; since: string; reason: string }[] }>(
  'jobs',
)
export const errorReportsQuery = adminQuery<ErrorReports>('error_reports')
export const noticesQuery = adminQuery<{ mode: NoticeMode }>('notices')
export const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: ({ signal }) => apiJson<{ version: string }>('/api/version', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
export const healthQuery = { ...adminQuery<Health>('health'), refetchInterval: 60_000 }
export const reconciliationQuery = adminQuery<DifferenceList>('billing_differences')
export const boardCountsQuery = { ...adminQuery<BoardCounts>('custom_edits/counts'), refetchInterval: 60_000 }
export const dashboardQuery = (period: Period) => ({
  ...adminQuery<Dashboard>(`dashboard?period=${period}`),
  staleTime: 60_000,
  refetchInterval: 120_000,
})
