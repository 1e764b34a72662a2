import { DashboardScreen } from '#features/admin/app/dashboard/dashboard-screen.tsx'
import { approvalItems } from '#features/approvals/app/admin/open-items.ts'
import { differenceItem, orderItems } from '#features/billing/app/admin/contributions.ts'
import { contentReportItem } from '#features/content-reports/app/admin/contributions.ts'
import { customEditItems } from '#features/custom-edits/app/admin/contributions.ts'
import { ErrorList } from '#features/error-reports/app/admin/error-list.tsx'
import { refundRequestItem } from '#features/generations/app/admin/contributions.ts'
import { ModelHint } from '#features/generations/app/admin/model-hint.tsx'

const openItems = [
  ...orderItems,
  refundRequestItem,
  contentReportItem,
  ...approvalItems,
  ...customEditItems,
  differenceItem,
]

export const Dashboard = () => <DashboardScreen openItems={openItems} hints={<ModelHint />} reports={<ErrorList />} />
