"""What the budgets of guests do, for the operator."""

from __future__ import annotations

from bespeak.http.server import tags
from bespeak.http.server.budgets.report import BudgetReport, report
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.scopes import ADMIN, MANAGE
from bespeak.http.server.workspaces import Reach

ENDPOINTS, endpoint = endpoint_table(tags.CONSOLE)


@endpoint(
    "GET",
    "/v1/budgets",
    "Read what the budgets do",
    kinds=OPERATORS,
    scopes=ADMIN | MANAGE,
    reach=Reach.INSTALLATION,
)
async def read_budgets(call: Call[None, None]) -> BudgetReport:
    """Tells how often guests met a step of a budget, and who is at one now."""
    engine = call.engine
    return await report(call.service.budgets, engine.database, engine.clock.seconds())
