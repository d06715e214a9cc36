import type { App } from '../http/server.ts';
import { auditRoutes } from './audit/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import { createExportSlots } from './export-slots.ts';
import { historyRoutes } from './history/routes.ts';
import { limitRoutes } from './limits/routes.ts';
import { listRoutes } from './lists/routes.ts';
import { liveRoutes } from './live/routes.ts';
import type { NotificationServices } from './notifications/preferences/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { programQueryRoutes } from './program/routes.ts';
import { reportListRoutes } from './reports/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { shipmentRoutes } from './shipments/routes.ts';
import { transactionQueryRoutes } from './transactions/routes.ts';
import { viewRoutes } from './views/routes.ts';

/** Queries of one program that only the console uses. They require `requireOperator`. */
export function operationQueryRoutes(app: App, services: NotificationServices): void {
  const startExport = createExportSlots();
  auditRoutes(app, services, startExport);
  searchRoutes(app, services);
  customerRoutes(app, services);
  historyRoutes(app, services);
  shipmentRoutes(app, services);
  listRoutes(app, services, startExport);
  transactionQueryRoutes(app, services);
  viewRoutes(app, services);
  notificationRoutes(app, services);
  overviewRoutes(app, services);
  liveRoutes(app, services);
  reportListRoutes(app, services);
  limitRoutes(app, services);
  programQueryRoutes(app, services);
}
