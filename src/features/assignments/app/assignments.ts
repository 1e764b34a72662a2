export { AssignedCell, AssignedFilter, AssigneeSelect } from './admin/assignee.tsx'
