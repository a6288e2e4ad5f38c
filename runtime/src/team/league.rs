//! Leagues on the host (`teams`): the teams one after the other, each with an initial task of its own, whose
//! threads the encountering thread is the first of.

use super::icvs::Icvs;
use super::member::Member;

/// A league that a thread executes.
pub(crate) struct League {
    /// The control variables of the task that has begun it.
    outer: Icvs,
    /// Teams that have begun.
    begun: u32,
    /// Teams.
    count: u32,
    /// Threads of each, 0 if nothing is said.
    limit: u32,
}

impl League {
    /// A league of as many teams as are asked for, or else as the control variables say, or one.
    pub(crate) fn new(member: &Member, teams: u32, limit: u32) -> League {
        let outer = member.task().icvs.get();
        let count = if teams > 0 { teams } else { outer.teams.max(1) };
        let limit = if limit > 0 { limit } else { outer.teams_thread_limit };
        League { outer, begun: 0, count, limit }
    }

    /// Begins the next team, with what holds at the start of the league. Without one, what held before it
    /// holds again.
    pub(crate) fn next(&mut self, member: &Member) -> bool {
        let number = self.begun;
        if number == self.count {
            member.task().icvs.set(self.outer);
            return false;
        }
        self.begun += 1;
        let thread_limit = match self.limit {
            0 => self.outer.thread_limit,
            limit => limit.min(self.outer.thread_limit),
        };
        member.task().icvs.set(Icvs { thread_limit, team: (number, self.count), ..self.outer });
        true
    }
}
