using System;
using System.Collections.Generic;

namespace GameServerListing
{
    /// <summary>
    /// Which of several URLs a watch asks: the first that answers, and the first of all again after a while.
    /// </summary>
    internal sealed class UrlChoice
    {
        /// <summary>How long another one is asked before the first is tried again.</summary>
        private static readonly TimeSpan ReturnTime = TimeSpan.FromSeconds(60);

        /// <summary>How long an answer may take to begin: the next one is waiting.</summary>
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

        /// <summary>The same for the first while another one answers: meanwhile no change is heard.</summary>
        private static readonly TimeSpan ReturnPatience = TimeSpan.FromSeconds(2);

        private readonly List<Caller> callers;
        private readonly IClock clock;

        /// <summary>The failures since one of them answered.</summary>
        private readonly List<Answer> failures = new List<Answer>();

        private int at;
        private TimeSpan returnsAt, rest;
        private bool isReturning;

        public UrlChoice(List<Caller> callers, IClock clock)
        {
            this.callers = callers;
            this.clock = clock;
        }

        public Caller Caller => callers[at];

        public bool IsOfSeveral => callers.Count > 1;

        /// <summary>Whether the first is to be tried again while another one answers.</summary>
        public bool IsReturnDue => at > 0 && clock.Now >= returnsAt;

        /// <summary>How long an answer may take to begin, where one alone has this time.</summary>
        public TimeSpan PatienceOf(TimeSpan time)
        {
            var most = isReturning ? ReturnPatience : Patience;
            return IsOfSeveral && most < time ? most : time;
        }

        /// <summary>Goes back to the first if that is due. Gives whether it does.</summary>
        public bool Returns()
        {
            if (!IsReturnDue) return false;
            at = 0;
            return isReturning = true;
        }

        public void Answered()
        {
            failures.Clear();
            rest = TimeSpan.Zero;
            isReturning = false;
        }

        /// <summary>Goes on to the next one.</summary>
        /// <param name="answer">The failure.</param>
        /// <param name="pause">How long they have asked to be left alone.</param>
        /// <returns>The first failure of them all; null while one is left to ask at once.</returns>
        public Answer Fail(Answer answer, out TimeSpan pause)
        {
            var asked = Pauses.RetryAfter(answer);
            if (rest < asked) rest = asked;
            pause = rest;
            returnsAt = clock.Now + (rest < ReturnTime ? ReturnTime : rest);
            isReturning = false;
            failures.Add(answer);
            at = (at + 1) % callers.Count;
            if (failures.Count < callers.Count) return null;
            at = 0;
            var first = failures[0];
            Answered();
            return first;
        }
    }
}
