extension PlanTemplate {
    /// Every template, the gentlest first.
    ///
    /// Where the numbers come from: the step indices of C. Tudor-Locke and D. R. Bassett, "How many steps/day are enough?", Sports Medicine
    /// 34 (2004); about 100 steps a minute as the cadence at which walking becomes moderate, C. Tudor-Locke et al., British
    /// Journal of Sports Medicine 52 (2018); 150 to 300 minutes a week, WHO guidelines on physical activity and sedentary
    /// behaviour (2020). That no week asks for more than a tenth above the week before is a rule of thumb, not a finding.
    public static let all: [PlanTemplate] = [
        returnFromBreak, beginnerWalk, threeKilometres, brisk150, tenThousand, brisk300, highlyActive,
    ]

    private static let returnFromBreak = PlanTemplate(
        "return-from-break", name: "Back after a break",
        weeks: steps(20_000, 22_000, 24_000, 26_000, 28_500, 31_000, 34_000),
        description:
            "For the weeks after an illness, an injury or a long pause, once a doctor has no objection. Begins "
            + "with fewer than 3 000 steps a day and adds at most a tenth a week, the common rule of thumb, until close "
            + "to the 5 000 a day below which Tudor-Locke and Bassett (2004) call a life sedentary.")

    private static let beginnerWalk = PlanTemplate(
        "beginner-walk", name: "First walks",
        weeks: steps(28_000, 30_500, 33_500, 36_500, 40_000, 44_000, 48_000, 52_500),
        description: "For people who sit most of the day. From 4 000 steps a day, which Tudor-Locke and Bassett (2004) "
            + "count as sedentary, to 7 500, where they begin to speak of a somewhat active life. No week asks for more "
            + "than a tenth above the week before, the common rule of thumb.")

    private static let threeKilometres = PlanTemplate(
        "three-kilometres-a-day", name: "Three kilometres a day",
        weeks: metres(10_000, 11_000, 12_000, 13_000, 14_000, 15_000, 16_500, 18_000, 19_500, 21_000),
        description:
            "For those who would rather count the way than the steps: from 10 to 21 kilometres a week, with no "
            + "week more than a tenth above the week before, the common rule of thumb. Walk them on any days you like.")

    private static let brisk150 = PlanTemplate(
        "brisk-150-minutes", name: "150 brisk minutes",
        weeks: steps(41_000, 42_500, 44_000, 45_500, 47_000, 48_500, 50_000),
        description: "Towards the 150 minutes of moderate activity a week that the World Health Organization (2020) "
            + "advises adults to reach. Counts 5 000 everyday steps a day and on top 60 brisk minutes in the first week, "
            + "15 more each week, at about 100 steps a minute, the pace at which walking becomes moderate "
            + "(Tudor-Locke and others, 2018).")

    private static let tenThousand = PlanTemplate(
        "ten-thousand-steps", name: "10 000 steps",
        weeks: steps(35_000, 38_500, 42_000, 46_200, 50_400, 54_600, 58_800, 63_000, 66_500, 70_000),
        description:
            "From 5 000 to 10 000 steps a day in ten weeks. Tudor-Locke and Bassett (2004) call 5 000 to 7 499 "
            + "low active, 7 500 to 9 999 somewhat active and 10 000 active: this plan walks through all of them, at most "
            + "a tenth more each week.")

    private static let brisk300 = PlanTemplate(
        "brisk-300-minutes", name: "300 brisk minutes",
        weeks: steps(50_000, 52_000, 54_000, 56_000, 58_000, 60_000, 62_500, 65_000),
        description:
            "From 150 to 300 minutes of moderate activity a week: the range that the World Health Organization "
            + "(2020) advises, whose upper end brings additional benefit. Counts 5 000 everyday steps a day and about 100 "
            + "steps for each brisk minute (Tudor-Locke and others, 2018).")

    private static let highlyActive = PlanTemplate(
        "highly-active", name: "12 500 steps",
        weeks: steps(70_000, 73_500, 77_000, 80_500, 84_000, 87_500),
        description:
            "For people who reach 10 000 steps on most days: 500 steps a day more each week until 12 500, from "
            + "where on Tudor-Locke and Bassett (2004) call a life highly active.")

    private static func steps(_ weeks: Int64...) -> [WeeklyGoal] { weeks.map { WeeklyGoal(steps: $0) } }

    private static func metres(_ weeks: Int64...) -> [WeeklyGoal] {
        weeks.map { WeeklyGoal(distance: Millimetres($0 * 1000)) }
    }
}
